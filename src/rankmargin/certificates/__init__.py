"""Certificates: how far from the optimum a fitted function can be at most, as it predicts."""

from rankmargin.certificates.confirm import CertificateError, confirmed
from rankmargin.certificates.exact import exact_bound
from rankmargin.certificates.judge import Certificate, certify, judge

__all__ = ["Certificate", "CertificateError", "certify", "confirmed", "exact_bound", "judge"]
