"""Latitude and longitude of the capitals of the prefectures of ``sushi3.udata``, in degrees, by code.

From uribo/jpndistrict (MIT; Geospatial Information Authority of Japan), commit 064b46ee, rounded to 0.0001 degrees.
Venuto et al. asked a web service and did not keep its answers. As in their program, people who live abroad get the
coordinates of Berkeley, California.
"""

COORDINATES = (
    (43.0621, 141.3544),  # Hokkaido
    (40.8220, 140.7472),  # Aomori
    (39.7020, 141.1544),  # Iwate
    (39.7197, 140.1022),  # Akita
    (38.2681, 140.8693),  # Miyagi
    (38.2554, 140.3395),  # Yamagata
    (37.7609, 140.4734),  # Fukushima
    (37.9161, 139.0365),  # Niigata
    (36.3658, 140.4711),  # Ibaraki
    (36.5550, 139.8828),  # Tochigi
    (36.3894, 139.0633),  # Gunma
    (35.8616, 139.6453),  # Saitama
    (35.6073, 140.1063),  # Chiba
    (35.6938, 139.7033),  # Tokyo
    (35.4437, 139.6381),  # Kanagawa
    (35.6621, 138.5683),  # Yamanashi
    (34.9756, 138.3826),  # Shizuoka
    (36.6485, 138.1942),  # Nagano
    (35.1814, 136.9063),  # Aichi
    (35.4233, 136.7606),  # Gifu
    (36.6959, 137.2136),  # Toyama
    (36.5610, 136.6566),  # Ishikawa
    (36.0640, 136.2196),  # Fukui
    (35.0177, 135.8548),  # Shiga
    (34.7186, 136.5055),  # Mie
    (35.0116, 135.7681),  # Kyoto
    (34.6937, 135.5024),  # Osaka
    (34.6852, 135.8048),  # Nara
    (34.2305, 135.1709),  # Wakayama
    (34.6894, 135.1958),  # Hyogo
    (34.6553, 133.9197),  # Okayama
    (34.3852, 132.4552),  # Hiroshima
    (35.5010, 134.2352),  # Tottori
    (35.4681, 133.0487),  # Shimane
    (34.1781, 131.4737),  # Yamaguchi
    (33.8392, 132.7655),  # Ehime
    (34.3428, 134.0464),  # Kagawa
    (34.0703, 134.5549),  # Tokushima
    (33.5588, 133.5311),  # Kochi
    (33.5901, 130.4016),  # Fukuoka
    (32.7503, 129.8778),  # Nagasaki
    (33.2635, 130.3008),  # Saga
    (32.8031, 130.7078),  # Kumamoto
    (31.5967, 130.5573),  # Kagoshima
    (31.9077, 131.4203),  # Miyazaki
    (33.2395, 131.6092),  # Oita
    (26.2124, 127.6791),  # Okinawa
    (37.8716, -122.2727),  # abroad
)
