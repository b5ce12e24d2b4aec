import { type AnsweredAsk, lockAnswered, markAnswered } from '@draftshelf/database/ai/ai-asks';
import { addAiCounts, readAiImport } from '@draftshelf/database/ai/ai-imports';
import { currentRows } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import { addProposals, type NewProposal } from '@draftshelf/database/enrich/proposals';
import { changeImport, findImport } from '@draftshelf/database/imports/imports';
import { type EffectiveRow, readRowsByNumber } from '@draftshelf/database/rows/effective-rows';
import { lockRows } from '@draftshelf/database/rows/rows-lock';
import type { ProposableField, SentProduct } from '@draftshelf/domain/ai/answer';
import { flagSentence } from '@draftshelf/domain/ai/flag-sentence';
import { sentText } from '@draftshelf/domain/ai/sent-text';
import { validateAnswer } from '@draftshelf/domain/ai/validate-answer';
import { aiSource } from '@draftshelf/domain/sources';
import { simulatedAi } from './forget-simulated-ai.ts';

/** Answers that are checked while the import's rows are locked. */
const answersPerPart = 50;

/**
 * Checks the known answers about queued products against their rows, and proposes what passes. Nothing is set. Returns
 * how many answers there were. Call it in a transaction of its own.
 */
export async function applyAiAnswers(
  db: Db,
  importId: string,
  { isSimulated }: { isSimulated: boolean },
): Promise<number> {
  await lockRows(db, importId);
  const asks = await lockAnswered(db, importId, answersPerPart);
  const record = await findImport(db, importId);
  const asking = await readAiImport(db, importId);
  if (asks.length === 0 || !record || !asking) return 0;
  const rows = await readRowsByNumber(
    db,
    currentRows(record),
    asks.map(({ row }) => row),
  );
  const byOffset = new Map(rows.map((row) => [row.byte_from, row]));
  const refused: Record<string, number> = {};
  const proposals = asks.flatMap((ask) => {
    const row = byOffset.get(ask.byte_from);
    if (!row || row.ignored !== null || ask.sent === null) return [];
    const checked = validateAnswer({ product: ask.sent, asked: ask.fields, types: asking.types }, ask.answer);
    for (const { failure } of checked.dropped) {
      if (failure.cause !== 'unchanged') refused[failure.cause] = (refused[failure.cause] ?? 0) + 1;
    }
    const current = checked.accepted.filter(({ field }) => isAsSent(row, field, ask.sent ?? {}));
    const remarks = flagSentence(checked.flags);
    return current.map((value) => proposalOf(row, value, { isSimulated, remarks }));
  });
  await addProposals(db, importId, proposals);
  await markAnswered(db, importId, asks as readonly AnsweredAsk[]);
  // The import before the counts, like a request that begins to ask.
  await changeImport(db, importId, {});
  await addAiCounts(db, importId, { proposals: proposals.length, refused });
  return asks.length;
}

/** Whether a field still has the value that was sent: the answer is about that one. */
function isAsSent({ values }: EffectiveRow, field: ProposableField, sent: SentProduct): boolean {
  if (field === 'tags') return (values.tags ?? '').trim() === '' || sent.tags !== undefined;
  const text = sent[field] ?? '';
  return sentText(values[field] ?? '', Math.max(255, field === 'description' ? 2_000 : 0)) === text;
}

const groupedFields: readonly string[] = ['type', 'vendor'];

function proposalOf(
  { row, byte_from, values }: EffectiveRow,
  { field, value, evidence }: { field: ProposableField; value: string; evidence: readonly string[] },
  { isSimulated, remarks }: { isSimulated: boolean; remarks: string | null },
): NewProposal {
  const before = values[field] ?? null;
  return {
    ...{ row, byteFrom: byte_from, field, before, value, source: aiSource },
    reason: [reasonOf(field, before), remarks].filter((one) => one !== null).join(' '),
    evidence: evidence.length === 0 ? null : evidence.join(' … '),
    groupKey: groupedFields.includes(field) ? value : null,
    attribution: isSimulated ? simulatedAi : null,
  };
}

const lacking: Record<ProposableField, string> = {
  description: 'The description in the file is empty.',
  type: 'The file has no product type.',
  vendor: 'The file has no brand.',
  tags: 'The file has no tags.',
};

const reasonOf = (field: ProposableField, before: string | null): string =>
  (before ?? '').trim() === '' ? lacking[field] : 'Rewritten; nothing was added.';
