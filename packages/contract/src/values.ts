import { isRowField, type RowField } from '@draftshelf/domain/base/canonical-fields';
import { z } from 'zod';

export const count = z.number().int();

export const Timestamp = z.iso.datetime();

/** A field of ours, or a metafield of the store. */
export const FieldName = z.custom<RowField>(isRowField, {
  error: ({ input }) => `There is no field “${String(input)}”.`,
});

/** The reply of a call that did something. `message`: a sentence about it. */
export const Done = z.object({ success: z.literal(true), message: z.string() });
