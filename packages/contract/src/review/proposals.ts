import { isStorable, notStorable } from '@draftshelf/domain/base/storable-text';
import { z } from 'zod';
import { route } from '../route.ts';
import { Done } from '../values.ts';
import { proposalsDecidedMax } from '../wire.ts';
import { rowNumberMax } from './rows.ts';

/** At most this many proposals are listed in one reply. */
const proposalsListedMax = 50;

/** At most this many proposals that were left are named. */
export const leftNamedMax = 50;

/** A value that the operator takes or dismisses. */
const Proposal = z.object({
  id: z.number().int(),
  row: z.number().int(),
  title: z.string().nullable(),
  field: z.string(),
  /** The field's value now, or null. */
  before: z.string().nullable(),
  /** Whether the field has another value than the one that the proposal was made for. */
  changed: z.boolean(),
  value: z.string(),
  /** The label of its source, and the name that filters take. */
  source: z.string(),
  sourceName: z.string(),
  /** The key of the group that it is in, or null. */
  group: z.string().nullable(),
  attribution: z.string().nullable(),
  /** Why it is proposed: a code of the domain's ProposalReason, or a sentence. */
  reason: z.string(),
  /** The words of the row that it rests on, or null. */
  evidence: z.string().nullable(),
});
export type Proposal = z.infer<typeof Proposal>;

const textCharsMax = 300;

/** Conditions of proposals. `source`: the name of a source, 'own', 'store', 'rule' or 'ai'. `group`: a group key. */
const filter = {
  field: z.string().max(textCharsMax).optional(),
  source: z.string().max(textCharsMax).optional(),
  group: z.string().max(textCharsMax).optional(),
};
export type ProposalFilter = z.infer<z.ZodObject<typeof filter>>;

/** Several proposals of a source for the same value of a field. */
const ProposalGroup = z.object({
  key: z.string(),
  field: z.string(),
  source: z.string(),
  reason: z.string(),
  count: z.number().int(),
});
export type ProposalGroup = z.infer<typeof ProposalGroup>;

/**
 * The open proposals of an import that match all filters, after the proposal `after`, at most 50. Proposals keep their
 * order, and new ones come last. `total`: how many match. `counts`: all open ones by field and source. At most 10,000
 * of each are counted. `groups`: the largest 20 of those that match. `newest`: the highest id of all open ones, null
 * for none. A page with `after` does not count: its `total` is 0, `newest` is null, and the others are empty.
 */
export const listProposals = route('listProposals', {
  query: z.object({
    ...filter,
    row: z.coerce.number().int().min(1).max(rowNumberMax).optional(),
    after: z.coerce.number().int().min(0).optional(),
    /** 0: only the counts and groups, also with `after`. */
    limit: z.coerce.number().int().min(0).max(proposalsListedMax).default(proposalsListedMax),
  }),
  reply: z.object({
    proposals: z.array(Proposal),
    total: z.number().int(),
    counts: z.array(
      z.object({
        field: z.string(),
        source: z.string(),
        /** Name of the source on screens. */
        label: z.string(),
        count: z.number().int(),
      }),
    ),
    groups: z.array(ProposalGroup),
    newest: z.number().int().nullable(),
  }),
});

/**
 * Takes a proposal, which is then an edit, or dismisses it. `value`: what the operator has changed it to before taking
 * it. `shown`: the value now as it was shown with the proposal, null for none. If the field has another value
 * meanwhile, nothing is taken and the reply is 409 with that value as `current`.
 */
export const decideProposal = route('decideProposal', {
  params: z.object({ proposal: z.coerce.number().int().min(1) }),
  body: z.object({
    action: z.enum(['take', 'dismiss']),
    value: z.string().min(1).max(100_000).refine(isStorable, notStorable).optional(),
    shown: z.string().nullable().optional(),
  }),
  reply: Done.extend({
    /** The id of the edit that took it, to undo it; null if it was dismissed. */
    command: z.uuid().nullable(),
  }),
});

/**
 * Takes or dismisses up to 2,000 proposals by one command, which can be undone: those with some ids, or the first that
 * match a filter. `expectedCount`: the total that was shown for the filter; if it is another one meanwhile, nothing is
 * decided and the reply is 409. `upTo`: `newest` as it was shown with the total; proposals with higher ids do not count
 * and are not decided, so that one that has replaced another is never taken unseen. A proposal is left if its field has
 * another value than the one it was made for, its product is being sent, its row is gone or ignored, it has been
 * decided, or several values of one field were selected.
 */
export const decideProposals = route('decideProposals', {
  body: z
    .object({
      action: z.enum(['take', 'dismiss']),
      ids: z.array(z.number().int().min(1)).min(1).max(proposalsDecidedMax).optional(),
      filter: z.object(filter).optional(),
      expectedCount: z.number().int().min(0).optional(),
      upTo: z.number().int().min(0).optional(),
    })
    .refine(({ ids, filter: of }) => (ids === undefined) !== (of === undefined), {
      path: ['ids'],
      message: 'Send either ids or a filter.',
    })
    .refine(({ filter: of, expectedCount }) => of === undefined || expectedCount !== undefined, {
      path: ['expectedCount'],
      message: 'A filter needs the expectedCount that was shown.',
    }),
  reply: Done.extend({
    /** The command, to undo it; null if nothing was decided. */
    command: z.uuid().nullable(),
    decided: z.number().int(),
    /** The first 50 proposals that were left, and how many more there are. */
    left: z.array(
      z.object({
        id: z.number().int(),
        reason: z.enum([
          'changed',
          'being sent',
          'gone',
          'ignored',
          'decided',
          'several',
          'not editable now',
        ]),
      }),
    ),
    leftMore: z.number().int(),
    /** Proposals that match the filter beyond the first 2,000. At most 10,000 are counted. */
    more: z.number().int(),
    /** Whether an error has stopped it after some were decided. The others are still open. */
    stopped: z.boolean(),
  }),
});
export type BulkReply = z.infer<(typeof decideProposals)['reply']>;
