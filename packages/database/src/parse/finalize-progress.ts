import type { RowClass } from '@draftshelf/domain/row-rule';
import type { Outcome } from '../schema.ts';

/** What finalizing a parse run does before the run becomes current, in this order. */
export const finalizeSteps = [
  'find joins',
  'move joined rows',
  'carry offsets',
  'validate joined rows',
  'count products',
  'carry outcomes',
  'apply edits',
  'find duplicates',
  'plan enrichment',
] as const;
export type FinalizeStep = (typeof finalizeSteps)[number];

/** Rows that lack something that could be found, for one enrich chunk. */
export type EnrichRange = { first_row: number; rows: number; enrichable: number };

/**
 * How far the finalize step of a parse run has come. It is stored with every batch, so that a worker that is stopped or
 * killed costs one batch. What belongs on the import is kept here until the run becomes current.
 */
export type FinalizeProgress = {
  /** The next step to do; null when the run can become current. */
  step: FinalizeStep | null;
  /** The last row, product or row number that the step has done. */
  at: number;
  /** Whether rows of one product stood apart and were joined. */
  joined: boolean;
  /** Edits up to this id are in the rows. */
  editsTo: number;
  /** The edits that the step is just applying end with this id. */
  editsUntil: number;
  editsWithoutRow: number;
  /** What the import's counters of products change by. */
  products: Record<RowClass | 'total', number>;
  /** The counters of outcomes, where a re-read has given their products other numbers. */
  outcomes: Record<Outcome, number> | null;
  /** The encoding that offsets are counted in, where an equal file brought its own; see imports.offsets_in. */
  offsetsIn: string | null;
  /** The parse run of the equal file whose offsets are being carried over. */
  offsetsFromRun: number;
  enrich: EnrichRange[];
};

/** The progress of a finalize step that has not begun. */
export function finalizeNotBegun(): FinalizeProgress {
  return {
    step: finalizeSteps[0],
    at: 0,
    joined: false,
    editsTo: 0,
    editsUntil: 0,
    editsWithoutRow: 0,
    products: { total: 0, valid: 0, warning: 0, error: 0 },
    outcomes: null,
    offsetsIn: null,
    offsetsFromRun: 0,
    enrich: [],
  };
}
