import { z } from 'zod';
import { ImportParams } from './imports.ts';
import { route } from './route.ts';

/** 'Update Images': gives products what is known now and looks up the rest in the background. */
export const reprocessImages = route({
  method: 'POST',
  path: '/api/queue/:id/reprocess-images',
  params: ImportParams,
  reply: z.object({ success: z.boolean(), updatedCount: z.number().int(), message: z.string() }),
});

/** A found value that the operator decides about. */
export const Proposal = z.object({
  id: z.number().int(),
  row: z.number().int(),
  title: z.string().nullable(),
  field: z.string(),
  /** The field's value now, or null. */
  before: z.string().nullable(),
  value: z.string(),
  source: z.string(),
  attribution: z.string().nullable(),
  /** Why it is not taken by itself. */
  reason: z.string(),
});
export type Proposal = z.infer<typeof Proposal>;

/** The open proposals of an import after a cursor, at most 50. */
export const listProposals = route({
  method: 'GET',
  path: '/api/queue/:id/proposals',
  params: ImportParams,
  query: z.object({ after: z.coerce.number().int().min(0).optional() }),
  reply: z.object({ proposals: z.array(Proposal), total: z.number().int() }),
});

/**
 * Takes a proposal, which is then an edit, or dismisses it. `shown`: the value now as it was shown with the proposal,
 * null for none. If the field has another value meanwhile, nothing is taken and the reply is 409 with that value as
 * `current`.
 */
export const decideProposal = route({
  method: 'POST',
  path: '/api/queue/:id/proposals/:proposal',
  params: ImportParams.extend({ proposal: z.coerce.number().int().min(1) }),
  body: z.object({ action: z.enum(['take', 'dismiss']), shown: z.string().nullable().optional() }),
  reply: z.object({
    success: z.literal(true),
    message: z.string(),
    /** The id of the edit that took it, to undo it; null if it was dismissed. */
    command: z.uuid().nullable(),
  }),
});
