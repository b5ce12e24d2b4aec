import { z } from 'zod';

/** The body of every reply that is not 2xx. `message` is a plain sentence; `cause` the technical reason, if any. */
export const ErrorBody = z.object({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  cause: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
