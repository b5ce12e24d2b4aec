import type { Db } from '../connection/database.ts';
import { findImport } from '../imports/imports.ts';
import { askAgain, type RunOfRows, readParseRun, readRunOverrides } from '../work/runs.ts';
import { addSupplierOfAnswers } from './mappings.ts';
import { recallMapping } from './recall-mapping.ts';

/**
 * Asks again how columns are read if the remembered answer is another supplier's, who writes the same headers. The
 * operator's answers for this list hold for the supplier's next ones.
 */
export async function settleAnswers(db: Db, of: RunOfRows): Promise<void> {
  const { mappingOverrides } = await readRunOverrides(db, of);
  const answers = Object.values(mappingOverrides).filter(({ reading }) => reading !== undefined);
  if (answers.length === 0) return;
  const { supplier = null } = (await findImport(db, of.import_id)) ?? {};
  if (supplier === null) return;
  const { headers, mapping } = await readParseRun(db, of);
  const recalled = await recallMapping(db, headers);
  if (!recalled || recalled.suppliers.includes(supplier)) return;
  const isAnswered = answers.some(({ by }) => by === 'operator');
  if (isAnswered || recalled.suppliers.length === 0) {
    await addSupplierOfAnswers(db, recalled.fingerprint, supplier);
  } else if (mapping.remembered) await askAgain(db, of, mapping);
}
