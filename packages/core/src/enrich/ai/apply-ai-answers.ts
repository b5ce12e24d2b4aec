import {
  type AskedProduct,
  type CheckedAnswer,
  type DropCause,
  flagSentence,
  type ProductAnswer,
  type ProposableField,
  type SentProduct,
} from '@draftshelf/domain/enrich/ai/answer';
import { toSentProduct } from '@draftshelf/domain/enrich/ai/sent-product';
import { validateAnswer } from '@draftshelf/domain/enrich/ai/validate-answer';
import { aiSource } from '@draftshelf/domain/enrich/sources';
import type { Db } from '../../connection/database.ts';
import { changeImport, findImport, lockImport } from '../../imports/imports.ts';
import { type EffectiveRow, readRowsByNumber } from '../../review/effective-rows.ts';
import { addProposals, type NewProposal } from '../../review/proposals/proposals.ts';
import { lockRows } from '../../review/rows-lock.ts';
import { currentRows } from '../../work/runs.ts';
import { type AnsweredAsk, changeAsks, lockAnsweredAsks } from './ai-asks.ts';
import { addAiCounts, readAiImport } from './ai-imports.ts';
import { filterCurrentAsks } from './collect-asks.ts';
import type { AskedService } from './end-asking-task.ts';
import { lockAiService, readAiService, simulatedAiName } from './service.ts';

/** Answers checked per transaction. Each transaction locks the import's rows. */
const answersPerPart = 50;

/** Checks stored answers and proposes valid values. Returns the number of answers, or 0 if the service has changed. */
export async function applyAiAnswers(db: Db, importId: string, asked: AskedService): Promise<number> {
  const { isSimulated } = asked;
  await lockRows(db, importId);
  // Lock order: import, service. The service's lock makes `forgetSimulatedAi` wait until the proposals are stored.
  if (isSimulated) await lockImport(db, importId);
  const service = isSimulated ? await lockAiService(db) : await readAiService(db);
  if (service.version !== asked.version) return 0;
  const known = await lockAnsweredAsks(db, importId, answersPerPart);
  const asks = await filterCurrentAsks(db, known, { target: asked, service });
  const record = await findImport(db, importId);
  const asking = await readAiImport(db, importId);
  if (!record || !asking) return 0;
  if (asks.length === 0) return known.length;
  const numbers = asks.map(({ row }) => row);
  const rows = await readRowsByNumber(db, currentRows(record), numbers);
  const byOffset = new Map(rows.map((row) => [row.byte_from, row]));
  const context = { byOffset, types: asking.types, isSimulated };
  const checked = asks.map((ask) => checkOne(ask, context));
  const proposals = checked.flatMap((one) => one.proposals);
  await addProposals(db, importId, proposals);
  // An answer is outdated if its product has changed since the product was sent.
  for (const outdated of [false, true]) {
    const some = checked.filter((one) => one.outdated === outdated).map(({ ask }) => ask);
    await changeAsks(db, importId, some, { state: 'answered', sent: null, error: null, outdated });
  }
  // Locks the import before its row in ai_imports. `beginAsking` uses the same order.
  await changeImport(db, importId, {});
  const causes = checked.flatMap((one) => one.causes);
  await addAiCounts(db, importId, { proposals: proposals.length, causes });
  return known.length;
}

type Checked = {
  ask: AnsweredAsk;
  proposals: NewProposal[];
  /** True if values were left out because the product has changed since it was sent. */
  outdated: boolean;
  causes: DropCause[];
};

type Context = {
  byOffset: ReadonlyMap<number, EffectiveRow>;
  types: readonly string[];
  isSimulated: boolean;
};

function checkOne(ask: AnsweredAsk, { byOffset, types, isSimulated }: Context): Checked {
  const { sent, fields, answer } = ask;
  const row = byOffset.get(ask.byte_from);
  const unused = { ask, proposals: [], outdated: true, causes: [] };
  if (!row || row.ignored !== null || sent === null) return unused;
  const checked = checkedOrNull({ product: sent, asked: fields, types }, answer);
  if (checked === null) return { ...unused, outdated: false, causes: ['malformed'] };
  const current = checked.accepted.filter(({ field }) => isAsSent(row, field, sent));
  const remarks = flagSentence(checked.flags);
  return {
    ask,
    proposals: current.map((value) => proposalOf(row, value, { isSimulated, remarks })),
    outdated: current.length < checked.accepted.length,
    causes: checked.dropped.map(({ failure }) => failure.cause).filter((cause) => cause !== 'unchanged'),
  };
}

/** Returns null if a check throws, so that a bad answer cannot stop its import again and again. */
function checkedOrNull(asked: AskedProduct, answer: ProductAnswer): CheckedAnswer | null {
  try {
    return validateAnswer(asked, answer);
  } catch {
    return null;
  }
}

/** Returns whether the field and the title still equal those sent, and the sent options include all current options. */
function isAsSent({ values }: EffectiveRow, field: ProposableField, sent: SentProduct): boolean {
  const now = toSentProduct([values], []);
  const hasOption = (name: string, value: string) =>
    (sent.options ?? []).some((option) => option.name === name && option.values.includes(value));
  const areOptions = (now.options ?? []).every(({ name, values: its }) =>
    its.every((value) => hasOption(name, value)),
  );
  return now[field] === sent[field] && now.title === sent.title && areOptions;
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
    attribution: isSimulated ? simulatedAiName : null,
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
