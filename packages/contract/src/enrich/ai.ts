import { askableFields } from '@draftshelf/domain/enrich/ai/answer';
import {
  aiLimitRanges,
  aiMoneyRange,
  currencyCharsMax,
  textPreferenceCharsMax,
} from '@draftshelf/domain/enrich/ai/limits';
import { z } from 'zod';
import { route } from '../route.ts';
import { EnteredText, Secret } from '../secret.ts';
import { SuccessReply } from '../values.ts';

const within = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max);
const Money = within(aiMoneyRange);

/** Costs are in the currency of the prices. A null limit means no limit. */
const AiLimits = z.strictObject({
  requestsPerMinute: within(aiLimitRanges.requestsPerMinute).int(),
  tokensPerDay: within(aiLimitRanges.tokensPerDay).int(),
  costPerDay: Money.nullable(),
  importRequests: within(aiLimitRanges.importRequests).int(),
  importTokens: within(aiLimitRanges.importTokens).int(),
  importCost: Money.nullable(),
  parallel: within(aiLimitRanges.parallel).int(),
});

/** Prices per million tokens. */
const AiPrices = z.strictObject({
  in: Money,
  out: Money,
  currency: z.string().trim().min(1).max(currencyCharsMax),
});

/** `cost` is null if no prices are set. */
const Use = z.object({
  requests: z.number().int(),
  tokens: z.number().int(),
  cost: z.number().nullable(),
});

/** The state of the AI service, without its key. */
export const AiState = z.object({
  configured: z.boolean(),
  /** `environment`: the server's environment, which takes precedence. `saved`: entered in Settings. */
  source: z.enum(['environment', 'saved', 'simulated', 'none']),
  baseUrl: z.string().nullable(),
  host: z.string().nullable(),
  model: z.string().nullable(),
  /** The form in which answers are requested. Null if no form has been tried yet. */
  structure: z.enum(['schema', 'object', 'text']).nullable(),
  simulated: z.boolean(),
  keySaved: z.boolean(),
  lockedBecause: z.string().nullable(),
  limits: AiLimits,
  prices: AiPrices.nullable(),
  language: z.string().nullable(),
  tone: z.string().nullable(),
  /** Requests, tokens and cost of the last 24 hours. */
  today: Use,
  /** `waiting`: calls are paused for a while. `trouble`: no calls are made until a person changes a setting. */
  state: z.enum(['ok', 'waiting', 'trouble', 'off']),
  sentence: z.string(),
});
export type AiState = z.infer<typeof AiState>;

export const readAi = route('readAi', { reply: AiState });

const Wish = z.string().trim().max(textPreferenceCharsMax).nullable();

/**
 * Changes the AI service, its limits, prices, language and tone. Absent fields stay as they are. A new address, model
 * or key is tested with at most 20 tokens and saved only if the service answers; otherwise `ok` is false. 409 if the
 * environment sets the service.
 */
export const saveAi = route('saveAi', {
  body: z.strictObject({
    baseUrl: EnteredText.optional(),
    model: EnteredText.optional(),
    key: Secret.optional(),
    limits: AiLimits.partial().optional(),
    prices: AiPrices.nullable().optional(),
    language: Wish.optional(),
    tone: Wish.optional(),
  }),
  reply: z.object({ ok: z.boolean(), message: z.string() }),
});

export const removeAiKey = route('removeAiKey', {
  reply: SuccessReply,
});

export const testAi = route('testAi', {
  reply: z.object({ success: z.boolean(), message: z.string() }),
});

const Estimate = z.object({
  products: z.number().int(),
  tokens: z.number().int(),
  cost: z.number().nullable(),
});

export const ImportAiState = z.object({
  state: z.enum(['off', 'ready', 'asking', 'waiting', 'done', 'stopped']),
  reason: z.string().nullable(),
  /** Whether a change in Settings can end the state `off`. */
  isInSettings: z.boolean(),
  service: z.object({ host: z.string(), model: z.string(), simulated: z.boolean() }).nullable(),
  fields: z.array(z.enum(askableFields)),
  expected: z.number().int(),
  /** `products`: queued products. `answered`: those with an answer. `failed`: those without a usable answer. */
  products: z.number().int(),
  answered: z.number().int(),
  failed: z.number().int(),
  proposals: z.number().int(),
  /** Counts of dropped values, by cause. */
  refused: z.object({
    malformed: z.number().int(),
    facts: z.number().int(),
    length: z.number().int(),
    html: z.number().int(),
    other: z.number().int(),
  }),
  ...Use.shape,
  /** True if some calls reported no tokens. The sums are then upper bounds. */
  isAtMost: z.boolean(),
  estimate: Estimate,
  currency: z.string().nullable(),
  limits: AiLimits.pick({ importRequests: true, importTokens: true, importCost: true }),
});
export type ImportAiState = z.infer<typeof ImportAiState>;

const Fields = z.array(z.enum(askableFields)).min(1).max(askableFields.length);

/** `fields`: the fields to estimate, separated by commas. All fields if absent. */
export const readAiOfImport = route('readAiOfImport', {
  query: z.object({
    fields: z
      .string()
      .optional()
      .transform((text) => text?.split(',').filter((one) => one !== ''))
      .pipe(Fields.optional()),
  }),
  reply: ImportAiState,
});

/** Asks about a sample of five products, some rows, or all incomplete products. 202 with the product count, or 409. */
export const askAi = route('askAi', {
  body: z.discriminatedUnion('scope', [
    z.strictObject({ scope: z.enum(['sample', 'all']), fields: Fields }),
    z.strictObject({
      scope: z.literal('rows'),
      rows: z.array(z.number().int().min(1)).min(1).max(500),
      fields: Fields,
    }),
  ]),
  reply: z.object({ products: z.number().int(), estimate: Estimate }),
});

/** Stops new calls. Running calls end within seconds. */
export const stopAi = route('stopAi', {
  reply: SuccessReply,
});
