import type { Failure } from '../answer.ts';

/** 'facts.number', 'html'. */
export const failureName = (failure: Failure): string =>
  failure.cause === 'facts' ? `facts.${failure.check}` : failure.cause;
