import { z } from 'zod';

/** The body of every reply that is not 2xx. `message` is a sentence for the operator. */
export const ErrorBody = z.object({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  /** With status 409: the stored object in the shape of the call's reply, or the conflicting fields. */
  current: z.unknown().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
