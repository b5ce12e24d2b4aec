import type { ValueFailure } from '../answer.ts';

/** The name of a failure, such as 'facts.number' or 'html'. */
export const failureName = (failure: ValueFailure): string =>
  failure.cause === 'facts' ? `facts.${failure.check}` : failure.cause;
