"""What jax-privacy promises where every record is in every batch: the noise is then that of one Gaussian release."""

from enclosures import gaussian_delta
from fractions import Fraction
from jax_privacy import keras_api
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


# A configuration is accepted if its noise costs no more than this above its epsilon. It is forgiven here.
TOLERANCE = 0.1


def accepted(epsilon, delta, sigma, batches):
    """Whether a configuration for Keras is: `batches` of 100 records that are put together before there is noise."""
    try:
        keras_api.DPKerasConfig(
            epsilon=epsilon, delta=delta, clipping_norm=1.0, noise_multiplier=sigma, train_steps=STEPS, train_size=100,
            batch_size=100 // batches, gradient_accumulation_steps=batches)
    except ValueError as error:
        if "budget exceed" not in str(error):
            raise
        return False
    return True


def keras(batches):
    scores = []
    for sigma in [2.0, 4.0, 8.0]:
        for delta in [1e-2, 1e-5]:
            refused, least = 0.0, 100.0
            while least - refused > 1e-9:
                middle = (refused + least) / 2
                if accepted(middle, delta, sigma, batches):
                    least = middle
                else:
                    refused = middle
            true_delta = gaussian_delta(Fraction(sigma) / 4, least + TOLERANCE)
            scores.append(score("sigma %g, delta %g" % (sigma, delta), delta, true_delta))
    return scores


def keras_whole():
    return keras(batches=1)


def keras_accumulated():
    return keras(batches=4)


if __name__ == "__main__":
    start(globals())
