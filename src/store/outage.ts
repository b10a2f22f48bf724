/** A store that cannot be used, as callers of the API are told it. */
import { ApiError } from '../base/api-error.ts';

/** The cause is only for the log. */
export const storeDown = (cause: unknown): ApiError =>
  new ApiError('upstream_unavailable', 'The credential store cannot be used right now. Try again shortly.', {
    retryAfter: 5,
    cause,
  });
