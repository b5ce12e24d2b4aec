import type { DraftProduct } from '@draftshelf/domain/products/draft-product';
import { payloadHash } from '@draftshelf/shopify/payload-hash';
import { isAsSent } from '@draftshelf/shopify/product/as-sent';
import {
  applyKeptValues,
  type DriftedField,
  type KeptValues,
  listDriftedNames,
  pickKeptValues,
} from '@draftshelf/shopify/product/drifted-fields';
import { compareFieldChanges, type FieldChange } from '@draftshelf/shopify/product/field-sides';
import { keepSentQuantities } from '@draftshelf/shopify/product/lists/quantities';
import type { ComparedPart, LiveProduct } from '@draftshelf/shopify/product/live-product';
import { listDriftableFields, splitDrift } from '@draftshelf/shopify/product/silent-parts';
import { planUpdate, type UnmergedList, type UpdatePlan } from '@draftshelf/shopify/product/update-input';
import { decideOtherId } from './decide-match.ts';
import type { Decision, KeptParts, PendingWrite, ProductFacts, Pushed, Question } from './decision.ts';
import { getSilentFields } from './draft-source.ts';
import type { KeptDraft } from './keep-sent-parts.ts';
import { type AskedQuestion, decideSkip, getLiveBasis, joinSentences, toQuestion } from './questions.ts';

export const deletedMessage = 'Deleted in the store since the last push.';

/**
 * Decides about a product that we pushed earlier. Our changes are sent only to fields that are unchanged in the store,
 * or that the operator chose to overwrite. A release that builds another draft from the same values causes no update.
 */
export function decidePushed(
  facts: ProductFacts,
  { draft, own, gone, absent = [] }: KeptDraft,
  pushed: Pushed,
  create: () => Decision,
): Decision {
  const { live } = facts;
  const { storeProductId, sentHash, rebuiltDraft } = pushed;
  const hash = payloadHash(draft);
  const isSent = sentHash === hash && payloadHash(pushed.sent) === hash;
  const without = absent.map((name) => `${name} (not in the store)`);
  if (!facts.sendsStatus && (isSent || payloadHash(rebuiltDraft) === hash)) {
    const message = composeWriteMessage({ notSent: without, gone });
    const unchanged = decideUnchanged(facts, { pushed, message }, create);
    const isOver = unchanged.kind === 'unchanged' && live && hasEnded(facts, pushed, live, { draft, own });
    if (!isOver) return withAnswer(unchanged, acceptedState(facts, pushed));
  }
  if (live === undefined) return { kind: 'read', by: 'id', id: storeProductId };
  if (live === null) return decideDeleted(facts, pushed, create);
  const other = decideOtherId(facts, draft, live);
  if (other) return other;
  const drift = driftOf(facts, pushed, live, { draft, own });
  if ('decision' in drift) return drift.decision;
  const sent = sendChanges(facts, { draft, gone, without }, pushed, { live, ...drift });
  return withAnswer(sent, drift.question ?? acceptedState(facts, pushed));
}

const withAnswer = (decision: Decision, question: Question | null): Decision =>
  question && decision.question === undefined ? { ...decision, question } : decision;

/** Returns the question in which the operator answered that our last write has arrived. Null without that answer. */
function acceptedState({ live, choices }: ProductFacts, { baseline }: Pushed): Question | null {
  if (baseline || !live) return null;
  const { question } = toQuestion(choices, 'lost-answer', getLiveBasis(live));
  return question.choice === 'record' ? question : null;
}

/** Creates a deleted product again if the operator chose to, but never from a list of prices and stock. */
function decideDeleted(
  { choices, built }: ProductFacts,
  { storeProductId }: Pushed,
  create: () => Decision,
): Decision {
  if (built.ok && built.isPartial) {
    const skipped = { kind: 'skip', code: 'deleted-in-store', message: deletedMessage } as const;
    return { ...skipped, storeProductId, sendingHash: null };
  }
  const asked = toQuestion(choices, 'deleted-in-store', storeProductId);
  if (asked.question.choice === 'create') return { ...create(), question: asked.question };
  return decideSkip(asked, { message: deletedMessage, storeProductId });
}

/** `seen`: the product after our last write, or null if that state is unknown. */
type Drift = {
  seen: LiveProduct | null;
  leave: readonly DriftedField[];
  force: readonly DriftedField[];
  ignored: readonly DriftedField[];
  /** Answers that are still valid, by field: for each of these fields, the operator kept the store's value. */
  answers: Readonly<Record<string, string>>;
  question: Question | null;
};

type ComparedDraft = Pick<KeptDraft, 'draft' | 'own'>;

function compared(facts: ProductFacts, pushed: Pushed, live: LiveProduct, { draft, own }: ComparedDraft) {
  const seen = seenOf(facts, pushed, live);
  const silent = getSilentFields(facts.built);
  const found = seen && splitDrift(live, seen, silent);
  if (!seen || !found) return { seen, found, drifted: listDriftableFields(silent), sides: [] };
  const isOfFile = new Set(own.variants);
  const hasVariant = (at: number) => draft.variants[at] !== undefined && isOfFile.has(draft.variants[at]);
  const sides = compareFieldChanges(found.drifted, draft, {
    sent: pushed.rebuiltDraft,
    seen,
    live,
    hasVariant,
  });
  // The operator is not asked about a field if the store already has our value, for example from a late write.
  const drifting = sides.filter(({ isThere }) => !isThere);
  return { seen, found, drifted: drifting.map(({ field }) => field), sides: drifting };
}

/** Returns whether an answer of the operator no longer holds, because the store's value or ours has changed since. */
const hasEnded = (facts: ProductFacts, pushed: Pushed, live: LiveProduct, of: ComparedDraft): boolean => {
  const answers = pushed.kept?.answers ?? {};
  if (facts.isOfGone || Object.keys(answers).length === 0) return false;
  return compared(facts, pushed, live, of).sides.some((one) => isEnded(one, answers[one.key]));
};

/** An answer is valid until the store's value or ours changes. */
const isEnded = ({ values }: FieldChange, answer: string | undefined): boolean =>
  answer !== undefined && answer !== values;

function driftOf(
  facts: ProductFacts,
  pushed: Pushed,
  live: LiveProduct,
  of: ComparedDraft,
): Drift | { decision: Decision } {
  const { choices } = facts;
  const { storeProductId } = pushed;
  const { seen, found, drifted, sides } = compared(facts, pushed, live, of);
  const { asked, answers } = askedOf(facts, pushed, sides);
  const none = { seen, force: [], ignored: found?.ignored ?? [], answers, question: null };
  if (seen && asked.length === 0) return { ...none, leave: drifted };
  const lost = toQuestion(choices, 'lost-answer', getLiveBasis(live)).question;
  if (lost.choice === 'send-again') return { ...none, leave: [], force: drifted, question: lost };
  const isBeside = seen !== null && asked.every(({ field }) => field.change === 'deleted');
  const about = toQuestion(
    choices,
    'drifted',
    seen ? basisOfFields(live, asked) : getLiveBasis(live),
    // If the product after our last write is unknown, so are the merchant's changes, and fewer choices are offered.
    seen ? (isBeside ? besideChoices : undefined) : ['use-ours', 'skip'],
  );
  const question: Question = { ...about.question, fields: asked.flatMap(({ shown }) => shown) };
  if (question.choice === 'use-ours') {
    const force = seen ? asked.map(({ field }) => field) : drifted;
    return { ...none, leave: drifted.filter((field) => !force.includes(field)), force, question };
  }
  const kept = { ...answers, ...Object.fromEntries(asked.map(({ key, values }) => [key, values])) };
  if (question.choice === 'keep-store') return { ...none, leave: drifted, answers: kept, question };
  if (isBeside) return { ...none, leave: drifted, question };
  const fields = seen ? ` (${listDriftedNames(drifted).join(', ')}); left unchanged` : '';
  const message = `Changed in the store since the last push${fields}.`;
  return { decision: decideSkip({ ...about, question }, { message, storeProductId }) };
}

const besideChoices = ['keep-store', 'use-ours'] as const;

function askedOf(
  { sendNonOverlapping, isOfGone }: ProductFacts,
  { kept }: Pushed,
  sides: readonly FieldChange[],
) {
  const all = kept?.answers ?? {};
  if (isOfGone) return { asked: sides.filter(({ isOurs }) => isOurs), answers: all };
  const isAsked = (one: FieldChange) => {
    const answer = all[one.key];
    if (answer !== undefined) return isEnded(one, answer);
    return one.isOurs || (one.field.change === undefined && !sendNonOverlapping);
  };
  const held = sides.filter(({ key, values }) => all[key] === values);
  return {
    asked: sides.filter(isAsked),
    answers: Object.fromEntries(held.map(({ key, values }) => [key, values])),
  };
}

/** Returns the basis of a choice about fields, which changes if the store's value or ours changes in one of them. */
const basisOfFields = ({ id }: LiveProduct, asked: readonly FieldChange[]): string =>
  `${id} ${payloadHash(Object.fromEntries(asked.map(({ key, values }) => [key, values])))}`;

/**
 * Returns the product after our last write. If the worker died before reading the product, the result is null unless
 * the store still has that write or the operator has answered that it arrived.
 */
function afterWrite(facts: ProductFacts, pushed: Pushed, live: LiveProduct): LiveProduct | null {
  const { baseline, before, kept, sent, sentHash } = pushed;
  if (baseline) return baseline;
  const isKnown = acceptedState(facts, pushed) || isAsSent(live, sent, before, kept, sentHash);
  return isKnown ? keepSentQuantities(live, sent) : null;
}

/** Returns the state against which changes are detected: as after our last write, with earlier kept values. */
function seenOf(facts: ProductFacts, pushed: Pushed, live: LiveProduct): LiveProduct | null {
  const after = afterWrite(facts, pushed, live);
  return after && applyKeptValues(after, pushed.kept);
}

function sendChanges(
  facts: ProductFacts,
  { draft, gone, without: absent }: Pick<KeptDraft, 'draft' | 'gone'> & { without: readonly string[] },
  pushed: Pushed,
  { live, seen, leave, force, ignored, answers }: Drift & { live: LiveProduct },
): Decision {
  const { ourId, store, choices, stockChoice = null } = facts;
  const { storeProductId, rebuiltDraft } = pushed;
  const { locationId, collections, canRename } = store;
  const mergeOver = (overSales: boolean, ...[wanted, left, isRenameChosen]: Parameters<Merge>) =>
    planUpdate(wanted, {
      ...{ externalId: ourId, sent: rebuiltDraft, live, seen, locationId, collections },
      ...{ leave, force: force.filter(({ part }) => !left.includes(part)) },
      canRename: canRename === true || isRenameChosen,
      sendsStatus: facts.sendsStatus,
      overSales,
    });
  const askAboutStock = (sold: readonly string[]): AskedQuestion => {
    const asked = toQuestion(choices, 'not-sent', basisOfParts(storeProductId, sold));
    return { ...asked, question: { ...asked.question, choice: asked.question.choice ?? stockChoice } };
  };
  const merge: Merge = (...of) => {
    const next = mergeOver(false, ...of);
    if (!('areSold' in next) || !next.areSold) return next;
    const { choice } = askAboutStock(next.notSent).question;
    return choice === 'use-ours' ? mergeOver(true, ...of) : next;
  };
  const { next, without, left, question } = mergeWithout(merge, draft, rebuiltDraft, choices);
  const staying = [...leave, ...force.filter(({ part }) => left.includes(part))];
  const kept = keptOf(live, seen, { staying, ignored, answers });
  const ofQuestion = question ? { question } : {};
  const notSent = [...absent, ...without, ...('notSent' in next ? next.notSent : [])];
  switch (next.kind) {
    case 'blocked': {
      const asked = toQuestion(
        choices,
        'blocked',
        payloadHash(draft),
        next.isRename ? renameChoices : mergeChoices,
      );
      return decideSkip(asked, { message: next.reason, storeProductId });
    }
    case 'not-sent': {
      const asked = next.areSold
        ? askAboutStock(next.notSent)
        : toQuestion(choices, 'not-sent', basisOfParts(storeProductId, notSent), ['skip']);
      return decideSkip(asked, { message: notSentMessage(notSent), storeProductId });
    }
    case 'unchanged': {
      const message = composeWriteMessage({ notSent, kept, gone });
      return { kind: 'unchanged', storeProductId, message, baseline: null, ...ofQuestion };
    }
    case 'update': {
      const { variables, metafields, quantities, draft: sent } = next;
      const baseline = pushed.baseline || force.length > 0 ? null : afterWrite(facts, pushed, live);
      const write = { variables, metafields, quantities, draft: sent, hash: payloadHash(sent) };
      const ofStock = next.areSold ? { question: askAboutStock(next.notSent).question } : {};
      const asked = { ...ofStock, ...ofQuestion };
      const isPartial = without.length > 0;
      return { kind: 'update', ...write, notSent, before: live, kept, gone, isPartial, baseline, ...asked };
    }
  }
}

type Merge = (draft: DraftProduct, left: readonly ComparedPart[], isRenameChosen: boolean) => UpdatePlan;

const mergeChoices = ['send-without', 'skip'] as const;
const renameChoices = ['use-ours', ...mergeChoices] as const;

function mergeWithout(
  merge: Merge,
  draft: DraftProduct,
  sent: DraftProduct,
  choices: ProductFacts['choices'],
): { next: UpdatePlan; without: string[]; left: readonly ComparedPart[]; question: Question | null } {
  const { question } = toQuestion(choices, 'blocked', payloadHash(draft));
  const without = new Map<UnmergedList, string>();
  let wanted = draft;
  let left: readonly ComparedPart[] = [];
  const isRenameChosen = question.choice === 'use-ours';
  let next = merge(wanted, left, isRenameChosen);
  while (next.kind === 'blocked' && question.choice === 'send-without' && !without.has(next.part)) {
    without.set(next.part, `${next.part} (${next.reason.replace(/[.]$/, '')})`);
    wanted = withoutPart(wanted, sent, next.part);
    left = [...left, ...comparedIn[next.part]];
    next = merge(wanted, left, isRenameChosen);
  }
  const answered = without.size > 0 || isRenameChosen ? question : null;
  return { next, without: [...without.values()], left, question: answered };
}

/** Product parts that stay as they are in the store if the variants or the images are not sent. */
const comparedIn: Record<UnmergedList, readonly ComparedPart[]> = {
  variants: ['options', 'variants'],
  images: ['images'],
};

function withoutPart(draft: DraftProduct, sent: DraftProduct, part: UnmergedList): DraftProduct {
  if (part !== 'variants') return { ...draft, [part]: sent[part] };
  const { options: _, ...rest } = draft;
  return { ...rest, variants: sent.variants, ...(sent.options ? { options: sent.options } : {}) };
}

/** Returns names of fields in which a write kept changes of the store. `before`: the product before that write. */
export function listKeptFieldNames({ built }: ProductFacts, { before, kept }: PendingWrite): string[] {
  if (!before || !kept) return [];
  return listDriftedNames(splitDrift(before, applyKeptValues(before, kept), getSilentFields(built)).drifted);
}

function keptOf(
  live: LiveProduct,
  seen: LiveProduct | null,
  { staying, ignored, answers }: Pick<Drift, 'ignored' | 'answers'> & { staying: readonly DriftedField[] },
): KeptParts | null {
  if (!seen || staying.length + ignored.length === 0) return null;
  const values: KeptValues = pickKeptValues(seen, [...ignored, ...staying], live);
  const hasAnswers = Object.keys(answers).length > 0;
  return { words: listDriftedNames(staying), values: hasAnswers ? { ...values, answers } : values };
}

/** Returns the basis of a choice about unsent parts, such as quantities. The choice also applies to later files. */
const basisOfParts = (storeProductId: string, notSent: readonly string[]): string => {
  const parts = new Set(notSent.map((change) => change.split(/ \(| of | “/)[0]));
  return [storeProductId, ...[...parts].sort()].join(' ');
};

const notSentMessage = (notSent: readonly string[]) => `Not sent: ${notSent.join(', ')}.`;

const goneMessage = (gone: number) =>
  gone === 1
    ? 'No longer in the file: 1 variant; it stays in the store.'
    : `No longer in the file: ${gone} variants; they stay in the store.`;

export function composeWriteMessage(write: {
  notSent: readonly string[];
  kept?: Pick<KeptParts, 'words'> | null;
  gone?: number;
}): string | null {
  const { notSent, kept, gone = 0 } = write;
  return joinSentences(
    notSent.length > 0 ? notSentMessage(notSent) : null,
    kept && kept.words.length > 0 ? `Kept as changed in the store: ${kept.words.join(', ')}.` : null,
    gone > 0 ? goneMessage(gone) : null,
  );
}

/** Reports changes made in the store and variants missing in the file. Reads the product only if its stamp changed. */
function decideUnchanged(
  facts: ProductFacts,
  { pushed, message }: { pushed: Pushed; message: string | null },
  create: () => Decision,
): Decision {
  const { stamp, live } = facts;
  const { storeProductId, baseline } = pushed;
  const unchanged = { kind: 'unchanged', storeProductId, message, baseline: null } as const;
  if (baseline) {
    if (stamp === undefined) return { kind: 'read', by: 'stamp', id: storeProductId };
    if (stamp === baseline.updatedAt) return unchanged;
    if (stamp === null) return decideDeleted(facts, pushed, create);
  }
  if (live === undefined) return { kind: 'read', by: 'id', id: storeProductId };
  if (live === null) return decideDeleted(facts, pushed, create);
  const seen = seenOf(facts, pushed, live);
  const found = seen && splitDrift(live, seen, getSilentFields(facts.built));
  const drifted = found ? listDriftedNames(found.drifted) : ['unknown fields'];
  // If only silent fields changed, the old baseline stays, because a later file may have values for these fields.
  if (drifted.length === 0) return { ...unchanged, baseline: found?.ignored.length ? null : live };
  const changed = `Changed in the store since the last push (${drifted.join(', ')}).`;
  return { ...unchanged, message: joinSentences(changed, message) };
}
