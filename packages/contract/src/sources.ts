import { sourceNames } from '@draftshelf/domain/sources';
import { z } from 'zod';
import { route } from './route.ts';

const Timestamp = z.iso.datetime();

/** A source of product data by UPC, with its quota. */
export const SourceState = z.object({
  name: z.string(),
  label: z.string(),
  enabled: z.boolean(),
  /** It cannot be asked before the server has a key for it. */
  keyMissing: z.boolean(),
  /** Calls of the current windows and their limits; a window is `windowMs` long, a day `dayMs`. */
  quota: z.object({
    window: z.number().int(),
    perWindow: z.number().int(),
    windowMs: z.number().int(),
    day: z.number().int(),
    perDay: z.number().int(),
    dayMs: z.number().int(),
    /** When the first of the day's calls is free again, or null without calls. */
    freeAt: Timestamp.nullable(),
  }),
  /** Not asked until then, and why: its quota is spent, or it does not answer. */
  blockedUntil: Timestamp.nullable(),
  blockedBecause: z.enum(['quota', 'failure']).nullable(),
});
export type SourceState = z.infer<typeof SourceState>;

/** The sources in the order in which they are asked. */
export const listSources = route({ method: 'GET', path: '/api/sources', reply: z.array(SourceState) });

const quotaMax = 1_000_000;

/** Switches sources on or off and changes order and quotas. Replies with all sources. */
export const changeSources = route({
  method: 'PATCH',
  path: '/api/sources',
  body: z.object({
    sources: z
      .array(
        z.strictObject({
          name: z.enum(sourceNames),
          enabled: z.boolean().optional(),
          position: z.number().int().min(0).max(sourceNames.length).optional(),
          perWindow: z.number().int().min(1).max(quotaMax).optional(),
          perDay: z.number().int().min(1).max(quotaMax).optional(),
        }),
      )
      .min(1)
      .max(sourceNames.length),
  }),
  reply: z.array(SourceState),
});

/** Forgets what the sources have said. Products keep their values; the next look-up asks again. */
export const forgetAnswers = route({
  method: 'POST',
  path: '/api/sources/forget',
  body: z.object({ source: z.enum(sourceNames).optional() }).nullish(),
  reply: z.object({ success: z.literal(true), message: z.string(), forgotten: z.number().int() }),
});
