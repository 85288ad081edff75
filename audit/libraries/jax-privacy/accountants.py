"""What jax-privacy promises where every record is in every batch: the noise is then that of one Gaussian release."""

from enclosures import gaussian_delta
from fractions import Fraction
from jax_privacy.accounting import accountants, analysis
from values import score, start

STEPS = 16


def promises(training, accountant, true_sigma, **parameters):
    """`true_sigma` is the deviation of one Gaussian release on a query of sensitivity 1 that costs as much."""
    made = training(dp_accountant_config=accountant())
    scores = []
    for sigma in [2.0, 4.0, 8.0]:
        for delta in [1e-2, 1e-5]:
            claim = analysis.DpParams(noise_multipliers=sigma, num_samples=100, batch_size=100, delta=delta, **parameters)
            epsilon = float(made.compute_epsilon(STEPS, claim))
            scores.append(score("sigma %g, delta %g" % (sigma, delta), delta, gaussian_delta(true_sigma(Fraction(sigma)), epsilon)))
    return scores


def pld():
    return promises(analysis.DpsgdTrainingAccountant, accountants.PldAccountantConfig, lambda sigma: sigma / 4)


def rdp():
    return promises(analysis.DpsgdTrainingAccountant, accountants.RdpAccountantConfig, lambda sigma: sigma / 4)


def fixed_batches():
    """Where one record replaces another the sum moves by up to 2."""
    return promises(
        analysis.DpsgdTrainingAccountant, accountants.PldAccountantConfig, lambda sigma: sigma / 8,
        sampling_method=analysis.SamplingMethod.FIXED_BATCH_SIZE)


def single_release():
    return promises(analysis.SingleReleaseTrainingAccountant, accountants.PldAccountantConfig, lambda sigma: sigma)


if __name__ == "__main__":
    start(globals())
