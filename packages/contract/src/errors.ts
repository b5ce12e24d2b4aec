import { z } from 'zod';

/** The body of every reply that is not 2xx. `message` is a sentence for the operator. */
export const ErrorBody = z.object({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  /** For a conflict about values: the fields whose value is not the expected one, with their values now. */
  current: z.record(z.string(), z.string().nullable()).optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
