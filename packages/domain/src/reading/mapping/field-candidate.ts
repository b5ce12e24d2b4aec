import type { CanonicalField } from '../../base/canonical-fields.ts';
import type { CandidateKind } from './header-candidates.ts';

/** A field that a column may hold, and what this is worth to the assignment. */
export type FieldCandidate = {
  index: number;
  field: CanonicalField;
  /** `values`: the header says nothing, the values look like the field. */
  kind: CandidateKind | 'values';
  /** 0 to 1. */
  confidence: number;
  worth: number;
  /** The number in the header ('image 2'), 0 without one. */
  ordinal: number;
  reason: string;
};
