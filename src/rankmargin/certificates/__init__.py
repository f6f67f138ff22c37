"""Certificates: how far from the optimum a fitted function can be at most, as it predicts."""

from rankmargin.certificates.confirm import CertificateError, confirmed
from rankmargin.certificates.judge import Certificate, certify, exact_bound, judge

__all__ = ["Certificate", "CertificateError", "certify", "confirmed", "exact_bound", "judge"]
