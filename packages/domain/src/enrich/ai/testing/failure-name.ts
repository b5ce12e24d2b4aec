import type { Failure } from '../answer.ts';

/** The name of a failure, such as 'facts.number' or 'html'. */
export const failureName = (failure: Failure): string =>
  failure.cause === 'facts' ? `facts.${failure.check}` : failure.cause;
