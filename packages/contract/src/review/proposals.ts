import { isStorable, notStorableMessage } from '@draftshelf/domain/base/storable-text';
import { z } from 'zod';
import { route } from '../route.ts';
import { SuccessReply } from '../values.ts';
import { proposalsDecidedMax } from '../wire.ts';
import { rowNumberMax } from './rows.ts';

const proposalsListedMax = 50;

/** Maximum number of skipped proposals that a reply lists. */
export const skippedNamedMax = 50;

/** A value that the operator can accept or dismiss. */
const Proposal = z.object({
  id: z.number().int(),
  row: z.number().int(),
  title: z.string().nullable(),
  field: z.string(),
  /** The field's current value. Null if the field is empty. */
  before: z.string().nullable(),
  /** Whether the field's value has changed since the proposal was made. */
  changed: z.boolean(),
  value: z.string(),
  /** The label of the proposal's source, and the source's name for filters. */
  source: z.string(),
  sourceName: z.string(),
  /** The key of the proposal's group. Null if the proposal is in no group. */
  group: z.string().nullable(),
  attribution: z.string().nullable(),
  /** Why the value is proposed: a code (`ProposalReason` in the domain package), or a sentence. */
  reason: z.string(),
  /** The words in the row on which the proposal is based. Null if there are none. */
  evidence: z.string().nullable(),
});
export type Proposal = z.infer<typeof Proposal>;

const textCharsMax = 300;

/** Filters of proposals. `source`: the name of a source, or 'own', 'store', 'rule', 'ai'. `group`: a group's key. */
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
 * Lists the open proposals of an import that match all filters, after the proposal `after`, at most 50. New proposals
 * come last. `total`: number of matching proposals. `counts`: all open proposals by field and source. `total` and
 * `counts` stop at 10,000. `groups`: the 20 largest groups of matching proposals. `newest`: the highest id of all open
 * proposals, or null. A page with `after` is not counted: `total` is 0, `newest` null, `counts` and `groups` empty.
 */
export const listProposals = route('listProposals', {
  query: z.object({
    ...filter,
    row: z.coerce.number().int().min(1).max(rowNumberMax).optional(),
    after: z.coerce.number().int().min(0).optional(),
    /** 0 returns only counts and groups, even with `after`. */
    limit: z.coerce.number().int().min(0).max(proposalsListedMax).default(proposalsListedMax),
  }),
  reply: z.object({
    proposals: z.array(Proposal),
    total: z.number().int(),
    counts: z.array(
      z.object({
        field: z.string(),
        source: z.string(),
        /** The source's name on screens. */
        label: z.string(),
        count: z.number().int(),
      }),
    ),
    groups: z.array(ProposalGroup),
    newest: z.number().int().nullable(),
  }),
});

/**
 * Accepts a proposal as an edit, or dismisses it. `value`: the operator's own value in place of the proposed one.
 * `shown`: the field's value that the screen showed, null if it was empty. If the field now has another value, nothing
 * is saved and the reply is 409 with that value as `current`.
 */
export const decideProposal = route('decideProposal', {
  params: z.object({ proposal: z.coerce.number().int().min(1) }),
  body: z.object({
    action: z.enum(['take', 'dismiss']),
    value: z.string().min(1).max(100_000).refine(isStorable, notStorableMessage).optional(),
    shown: z.string().nullable().optional(),
  }),
  reply: SuccessReply.extend({
    /** The id of the edit, for `undoEdits`. Null if the proposal was dismissed. */
    command: z.uuid().nullable(),
  }),
});

/**
 * Accepts or dismisses up to 2,000 proposals as one command, which can be undone: those with the given ids, or the
 * first that match a filter. `expectedCount`: the `total` that the screen showed for the filter. If the total differs
 * now, nothing is decided and the reply is 409. `upTo`: the `newest` that the screen showed with the total. Proposals
 * with higher ids are neither counted nor decided, so that the operator never accepts an unseen value. A proposal is
 * skipped if its field's value has changed, its product is being sent, its row is gone or ignored, it has been
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
  reply: SuccessReply.extend({
    /** The id for `undoEdits`. Null if nothing was decided. */
    command: z.uuid().nullable(),
    decided: z.number().int(),
    /** The first 50 skipped proposals, and the number of further ones. */
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
    /** Number of matching proposals beyond the first 2,000, at most 10,000. */
    more: z.number().int(),
    /** Whether an error stopped the command after some proposals. The other proposals are still open. */
    stopped: z.boolean(),
  }),
});
export type DecidedProposals = z.infer<(typeof decideProposals)['reply']>;
