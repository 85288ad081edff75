"""Our learners of two classes, and the options that the command does not choose itself. Whatever is here was chosen on half of the sets."""

# With a delta of 10^-6 where a learner has one.
EPSILONS = ["1/4", "1", "4"]
DELTA = "1e-6"
MARGIN = "1/20"

# By name: what it promises, its name in the command, and its options. SEED stands for the repetition.
PURE, BOTH = "epsilon", "epsilon, delta"
OURS = {
    "margin-gibbs": (PURE, "margin-gibbs", ["--margin", MARGIN, "--candidates-seed", "SEED"]),
    "halfspaces-descent": (BOTH, "halfspaces-descent", ["--gamma", MARGIN]),
    "margin-descent": (BOTH, "margin-descent", ["--margin", MARGIN]),
    "kernel-release": (BOTH, "kernel-release", ["--lambda", "1/100", "--accept-noise"]),
    "margin-kernel, 200 frequencies": (BOTH, "margin-kernel", ["--margin", MARGIN, "--kernel", "gaussian=1", "--frequencies", "200"]),
    "random-features, the sign": (BOTH, "random-features", ["--accept-noise"]),
    "random-features of columns, the sign": (BOTH, "random-features", ["--accept-noise", "--features", "linear"]),
    "margin-cover, 5 dimensions, radius 1/3": (PURE, "margin-cover", ["--margin", MARGIN, "--dimension", "5", "--radius", "1/3"]),
    "halfspaces-cover, 5 dimensions, radius 1/3": (
        PURE, "halfspaces-cover", ["--gamma", MARGIN, "--dimension", "5", "--radius", "1/3", "--threshold", "0"]),
    "margin-labels: labels alone private": ("epsilon, of labels", "margin-labels", ["--margin", MARGIN, "--candidates-seed", "SEED"]),
}


def arguments(learner, training, epsilon, repetition):
    """Of `assay learn`, but for the model's file."""
    promise, name, options = learner
    shared = [name, training, "--label", "label", "--box=-1:1", "--epsilon", epsilon, "--seed", repetition + 1]
    if name == "random-features":
        shared += ["--label-box=-1:1"]
    else:
        shared += ["--positive", "1", "--negative=-1", "--intercept"]
    if promise == BOTH:
        shared += ["--delta", DELTA]
    return shared + [str(repetition + 1) if option == "SEED" else option for option in options]
