import { z } from 'zod';

export const count = z.number().int();

export const Timestamp = z.iso.datetime();

/** The reply of a call that did something. `message`: a sentence about it. */
export const Done = z.object({ success: z.literal(true), message: z.string() });
