//! The paper: each algorithm of the reference beside what ships.

mod algorithm_1_as_coded;
mod algorithm_1_as_printed;
mod clipped_gradient_descent;
mod clipped_interpolation;
mod clipped_kaczmarz;
mod features;
mod noisy_statistics;
mod ridge;
mod ridge_with_gamma_noise;
mod support;
