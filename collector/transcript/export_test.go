package transcript

// Fit is fit, for tests.
var Fit = fit
