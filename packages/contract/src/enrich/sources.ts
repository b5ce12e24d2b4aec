import { quotaRange, sourceNames, sourcesWithKey } from '@draftshelf/domain/enrich/sources';
import { z } from 'zod';
import { route } from '../route.ts';
import { Secret } from '../secret.ts';
import { SuccessReply, Timestamp } from '../values.ts';

const SourceKeyInfo = z.object({
  /** `server`: the server's environment, which takes precedence. `saved`: entered in Settings. */
  source: z.enum(['server', 'saved', 'none']),
  savedAt: Timestamp.nullable(),
  lockedBecause: z.string().nullable(),
});

export const SourceState = z.object({
  name: z.string(),
  label: z.string(),
  enabled: z.boolean(),
  /** Whether the source is simulated. Simulated sources are used only while neither a real store nor a key is set. */
  simulated: z.boolean(),
  keyMissing: z.boolean(),
  /** Null if the source takes no key. */
  key: SourceKeyInfo.nullable(),
  quota: z.object({
    window: z.number().int(),
    perWindow: z.number().int(),
    windowMs: z.number().int(),
    day: z.number().int(),
    perDay: z.number().int(),
    dayMs: z.number().int(),
    freeAt: Timestamp.nullable(),
  }),
  blockedUntil: Timestamp.nullable(),
  blockedBecause: z.enum(['quota', 'failure']).nullable(),
});
export type SourceState = z.infer<typeof SourceState>;

/** Lists the sources in the order in which they are asked. */
export const listSources = route('listSources', { reply: z.array(SourceState) });

const Quota = z.number().int().min(quotaRange.min).max(quotaRange.max);

export const changeSources = route('changeSources', {
  body: z.object({
    sources: z
      .array(
        z.strictObject({
          name: z.enum(sourceNames),
          enabled: z.boolean().optional(),
          position: z.number().int().min(0).max(sourceNames.length).optional(),
          perWindow: Quota.optional(),
          perDay: Quota.optional(),
        }),
      )
      .min(1)
      .max(sourceNames.length),
  }),
  reply: z.array(SourceState),
});

const KeyParams = z.object({ name: z.enum(sourcesWithKey) });

/**
 * Tests the key of a source and saves it if the source accepts it. Replies 200 even if the source rejects the key;
 * `success` is then false. 409 if the environment sets the key, or if the server has no sealing key.
 */
export const saveSourceKey = route('saveSourceKey', {
  params: KeyParams,
  body: z.strictObject({ key: Secret }),
  reply: z.object({
    success: z.boolean(),
    message: z.string(),
    cause: z.string().optional(),
  }),
});

/** Removes the saved key of a source. If the source needs a key, the source is turned off. */
export const removeSourceKey = route('removeSourceKey', {
  params: KeyParams,
  reply: SuccessReply,
});

/** Deletes stored answers of one source or of all sources, so that look-ups ask again. Products keep their values. */
export const forgetAnswers = route('forgetAnswers', {
  body: z.object({ source: z.enum(sourceNames).optional() }).nullish(),
  reply: SuccessReply.extend({ forgotten: z.number().int() }),
});

/** 'Update Images': fills products from stored answers, and looks up the other products in the background. */
export const reprocessImages = route('reprocessImages', {
  reply: z.object({ success: z.boolean(), updatedCount: z.number().int(), message: z.string() }),
});
