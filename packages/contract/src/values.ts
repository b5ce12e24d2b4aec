import { isRowField, type RowField } from '@draftshelf/domain/base/canonical-fields';
import { z } from 'zod';

export const count = z.number().int();

export const Timestamp = z.iso.datetime();

/** One of our fields, or a metafield of the store. */
export const FieldName = z.custom<RowField>(isRowField, {
  error: ({ input }) => `There is no field “${String(input)}”.`,
});

/** The reply to a change that succeeded. `message`: a sentence for the operator. */
export const SuccessReply = z.object({ success: z.literal(true), message: z.string() });
