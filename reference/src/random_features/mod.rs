//! Liao, Needell, Schaeffer, Xue 2025, *Differentially Private Random Feature Model* (`lnsx25`).
//!
//! In reading order; the claims are in `spec/random-features.md`:
//!
//! 1. [`algorithm_1_as_printed`]: features, the interpolation (4), noise. Not private;
//! 2. [`algorithm_1_as_coded`]: what the authors' program does. Not private;
//! 3. [`features`]: random Fourier features, and linear ones, as rows of norm at most 1;
//! 4. [`clipped_interpolation`]: Algorithm 1 with the bound that it needs enforced (R1);
//! 5. [`ridge`]: ridge regression with noise; what the next three share ([`equations`]: linear ones, exactly);
//! 6. [`ridge_of_normed_labels`]: the vector of all labels bounded (R2);
//! 7. [`ridge_of_bounded_labels`]: each label bounded (R3);
//! 8. [`ridge_with_gamma_noise`]: the baseline with pure differential privacy, repaired;
//! 9. [`clipped_kaczmarz`]: one pass of Kaczmarz's method with clipped residuals (R4);
//! 10. [`noisy_statistics`]: noisy sufficient statistics (R5);
//! 11. [`clipped_gradient_descent`]: gradient descent on clipped residuals (R6), the one to take.
//!
//! Two baselines have no reference. AdaSSP is offered by no command, and its privacy is `lnsx25.adassp`. Of stochastic gradient
//! descent there is no private learner, only a bound on its sensitivity (`lnsx25.sgd.corrected`).

pub mod algorithm_1_as_coded;
pub mod algorithm_1_as_printed;
pub mod clipped_gradient_descent;
pub mod clipped_interpolation;
pub mod clipped_kaczmarz;
pub mod equations;
pub mod features;
pub mod noisy_statistics;
pub mod ridge;
pub mod ridge_of_bounded_labels;
pub mod ridge_of_normed_labels;
pub mod ridge_with_gamma_noise;
