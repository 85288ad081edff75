"""The ten public data sets of two classes: where they are from, what is public of their columns, and how they become records.

A record is a row of numbers in [-1, 1], one a feature: a number of a column is clipped to the public interval of the column, and a name
has a number for each value that may occur, 1 for it and -1 for the others. The intervals are round figures that a form would allow,
and not made of the records. A row that lacks a value is left out, for all learners alike.
"""

import csv
import hashlib

# What a wine has: the columns of both files, and an interval of each.
WINE = {
    "fixed acidity": (4, 12), "volatile acidity": (0, 1), "citric acid": (0, 1), "residual sugar": (0, 20), "chlorides": (0, 0.2),
    "free sulfur dioxide": (0, 100), "total sulfur dioxide": (0, 300), "density": (0.985, 1.005), "pH": (2.7, 3.8), "sulphates": (0.2, 1),
    "alcohol": (8, 14)}
# Ten figures of a cell's nucleus; the file has their means, standard errors and worst values.
CELL = {
    "radius": (5, 30), "texture": (5, 40), "perimeter": (40, 200), "area": (100, 2500), "smoothness": (0, 0.2), "compactness": (0, 0.4),
    "concavity": (0, 0.5), "concave points": (0, 0.2), "symmetry": (0.1, 0.4), "fractal dimension": (0.04, 0.1)}
CELLS = {
    **{"mean " + name: ends for name, ends in CELL.items()},
    **{"error of " + name: (0, (hi - lo) / 10) for name, (lo, hi) in CELL.items()},
    **{"worst " + name: (lo, lo + 1.5 * (hi - lo)) for name, (lo, hi) in CELL.items()}}

SHA256 = {
    "breast_cancer.csv": "fed3eb72d0575ef6192293f5093c6e801b1476b577d0386bf4455504522172ed",
    "pima-train.csv": "a0ae61b8db2f667f0a2bc05849fcd7f4169a062d80a6ac08c5ea88638df2cf79",
    "pima-test.csv": "35fccdf91daf56d5e039c908afe29f7f4525b1b52337967cf597a10f6ad0001b",
    "biopsy.csv": "6ed32fbab327224ec749cacbc1e4750114aae622dc651d522043b6cf0d735b7e",
    "fair.csv": "fd5f3f094a34fc35ca346a14c359e046ed27843038d6921efcd50a7ab21f6af0",
    "winequality-red.csv": "4a402cf041b025d4566d954c3b9ba8635a3a8a01e039005d97d6a710278cf05e",
    "winequality-white.csv": "76c3f809815c17c07212622f776311faeb31e87610d52c26d87d6e361b169836",
    "randhie.csv": "9f6c87d05aef087a82cc4465310c8cd3f38327be6eafa43bd81fb98c4f3d088c",
    "penguins.csv": "f204db2c753b0937caac3cb35258562c14f073e4bbc76be24b4c51ce22767a93",
    "seattle-weather.csv": "62f0609f787158128aa2bd102967173a4953122dd4f872bf1d502cae1037df0b"}


class Set:
    """A data set: its files, its features with what is public of each, and of which values of the label a record is positive."""

    def __init__(self, name, what, files, features, label, positive, names=None, separator=","):
        self.name, self.what, self.files, self.features = name, what, files, features
        self.label, self.positive, self.names, self.separator = label, positive, names, separator

    def records(self, directory):
        """All records, and whether each is positive. A file that is not the published one is refused."""
        points, labels = [], []
        for file in self.files:
            path = directory / file
            found = hashlib.sha256(path.read_bytes()).hexdigest()
            if found != SHA256[file]:
                raise SystemExit("%s: not the published file: its SHA-256 sum is %s, and should be %s" % (path, found, SHA256[file]))
            with open(path, newline="") as lines:
                rows = csv.reader(lines, delimiter=self.separator)
                header = next(rows)
                for row in rows:
                    # Which file a record is from may be its label.
                    cells = {**dict(zip(self.names or header, row)), "file": file}
                    if not any(cells[name] in ("", "NA") for name in (*self.features, self.label)):
                        points.append(self.point(cells))
                        labels.append(self.positive(cells[self.label]))
        return points, labels

    def point(self, cells):
        point = []
        for name, public in self.features.items():
            if isinstance(public, list):
                point.extend(1.0 if cells[name] == value else -1.0 for value in public)
            else:
                lo, hi = public
                point.append(2 * (min(max(float(cells[name]), lo), hi) - lo) / (hi - lo) - 1)
        return point


# The rules of `assay learn --advise`, and the options below that no rule gives, were chosen on these alone.
CHOSEN_ON = [
    Set("breast_cancer", "malignant or benign; scikit-learn 1.4.2, UCI 17, CC BY 4.0", ["breast_cancer.csv"],
        CELLS, "class", lambda value: value == "0", names=[*CELLS, "class"]),
    Set("pima", "diabetes or not; R's MASS, of pydataset 0.2.0", ["pima-train.csv", "pima-test.csv"],
        {"npreg": (0, 15), "glu": (50, 200), "bp": (40, 120), "skin": (0, 60), "bmi": (15, 50), "ped": (0, 2), "age": (20, 80)},
        "type", lambda value: value == "Yes"),
    Set("biopsy", "malignant or benign; R's MASS, of pydataset 0.2.0", ["biopsy.csv"],
        {"V%d" % column: (1, 10) for column in range(1, 10)}, "class", lambda value: value == "malignant"),
    Set("fair", "an affair or none; statsmodels 0.15.0", ["fair.csv"],
        {"rate_marriage": (1, 5), "age": (17, 45), "yrs_married": (0, 25), "children": (0, 6), "religious": (1, 4), "educ": (9, 20),
         "occupation": (1, 6), "occupation_husb": (1, 6)},
        "affairs", lambda value: float(value) > 0),
    Set("wine_colour", "red or white; Cortez et al. 2009, UCI 186, CC BY 4.0", ["winequality-red.csv", "winequality-white.csv"],
        WINE, "file", lambda value: value == "winequality-red.csv", separator=";"),
]
# And judged on these.
JUDGED_ON = [
    Set("red_quality", "red wines of quality 6 or more; the same", ["winequality-red.csv"],
        WINE, "quality", lambda value: float(value) >= 6, separator=";"),
    Set("white_quality", "white wines of quality 6 or more; the same", ["winequality-white.csv"],
        WINE, "quality", lambda value: float(value) >= 6, separator=";"),
    Set("randhie", "a visit to a physician or none; statsmodels 0.15.0, public domain", ["randhie.csv"],
        {"lncoins": (0, 5), "idp": (0, 1), "lpi": (0, 8), "fmde": (0, 9), "physlm": (0, 1), "disea": (0, 60), "hlthg": (0, 1),
         "hlthf": (0, 1), "hlthp": (0, 1)},
        "mdvis", lambda value: float(value) > 0),
    Set("penguins", "male or female; palmerpenguins 0.1.6, CC0", ["penguins.csv"],
        {"species": ["Adelie", "Chinstrap", "Gentoo"], "bill_length_mm": (30, 60), "bill_depth_mm": (12, 22),
         "flipper_length_mm": (170, 240), "body_mass_g": (2500, 6500)},
        "sex", lambda value: value == "male"),
    Set("seattle_weather", "rain or snow on a day, or none; vega_datasets 0.9.0, NOAA, public domain", ["seattle-weather.csv"],
        {"temp_max": (-10, 40), "temp_min": (-10, 25), "wind": (0, 10)}, "precipitation", lambda value: float(value) > 0),
]
