export type SupplierSign = {
  kind: 'layout' | 'folder' | 'filename';
  value: string;
};

/** Asks whether a list is from a supplier. `sampled`: keys in the sample. `known`: those of the supplier's items. */
export type SupplierQuestion = { supplier: number; known: number; sampled: number };

export type CandidateSupplier = {
  supplier: number;
  /** An earlier list of the supplier has the same bytes. */
  hasFile: boolean;
  /** Signs that the list shares with the supplier's lists. `isShared`: other suppliers' lists have the sign, too. */
  signs: readonly { kind: SupplierSign['kind']; lists: number; isShared: boolean }[];
  /** Numbers of keys: known from the supplier's items, with a title or GTIN to compare, and with an equal one. */
  known: number;
  comparable: number;
  agreeing: number;
  /** Numbers of rows that share a title, GTIN or former key (`alike`), or the GTIN (`equalGtins`), with an item. */
  alike: number;
  equalGtins: number;
  /** Null if the supplier has lists or items. `named`: a new supplier of this list would be given the same name. */
  left: 'named' | 'unnamed' | null;
};

/** A sample of a list: numbers of rows, of rows with a key and of distinct keys, and the possible suppliers. */
export type ListEvidence = {
  rows: number;
  keyed: number;
  sampled: number;
  candidates: readonly CandidateSupplier[];
};

/** The proposed supplier. `none`: nothing identifies the list's rows, so that it cannot be compared with others. */
export type SupplierProposal =
  | { is: 'certain'; supplier: number }
  | { is: 'unsure'; asked: SupplierQuestion }
  | { is: 'new' }
  | { is: 'none' };

/** Minimum share of rows that have a key. */
const keyedShareMin = 0.5;
/** Minimum share of the list's keys that the supplier's items have, if the list has a sign of the supplier. */
const knownShareMin = 0.5;
/** Minimum share of known keys if the list has no sign of the supplier. High, because two dealers may share a maker. */
const knownShareOfStrangersMin = 0.8;
/** Minimum share of known keys with a title or GTIN. It is low: in some lists only first rows have a title. */
const comparableShareMin = 0.1;
/** Minimum share of compared keys with an equal title or GTIN. Two suppliers may both use the numbers 1001, 1002, … */
const agreeingShareMin = 0.3;
/** Minimum shares for a question to the operator: of known keys, and of rows with an equal title or GTIN. */
const askedShareMin = 0.1;
const alikeShareMin = 0.3;
/** Minimum share of equal titles and GTINs if several suppliers have the layout. */
const alikeShareOfManyMin = 0.8;
/** If this share of GTINs is equal, a supplier that is known by folder or filename has renumbered its items. */
const equalGtinsShareMin = 0.8;
/** Minimum number of lists from a folder, all of one supplier, for the folder to belong to this supplier. */
const folderListsMin = 3;

/** Proposes the supplier of a list from a sample of its rows and the candidates' signs. */
export function proposeSupplier(evidence: ListEvidence): SupplierProposal {
  const { rows, keyed, sampled } = evidence;
  const candidates = evidence.candidates.toSorted(byLikeness);
  const withFile = candidates.find(({ hasFile }) => hasFile);
  if (withFile) return { is: 'certain', supplier: withFile.supplier };
  if (rows === 0 || keyed < rows * keyedShareMin) return { is: 'none' };
  const likely = candidates.filter((candidate) => isLikely(candidate, sampled));
  const [first] = likely;
  if (first && isFirstOf(candidates, first)) return { is: 'certain', supplier: first.supplier };
  const owner =
    candidates.find((candidate) => ownsFolder(candidate, sampled)) ??
    candidates.find((candidate) => hasRenumbered(candidate, candidates, sampled));
  if (owner && !first) return { is: 'certain', supplier: owner.supplier };
  const asked = first ?? candidates.find((candidate) => isPossible(candidate, sampled));
  if (!asked) return proposeLeft(candidates, sampled);
  const known = Math.min(sampled, Math.max(asked.known, asked.alike));
  return { is: 'unsure', asked: { supplier: asked.supplier, known, sampled } };
}

/** Proposes a supplier without items if its name matches the list. If only its layout matches, asks the operator. */
function proposeLeft(candidates: readonly CandidateSupplier[], sampled: number): SupplierProposal {
  const left = candidates.filter((candidate) => candidate.left !== null && hasOwnSign(candidate));
  const known = candidates.find((candidate) => candidate.left === 'named') ?? left.find(hasOwnName);
  if (known) return { is: 'certain', supplier: known.supplier };
  const [asked] = left;
  if (!asked) return { is: 'new' };
  return { is: 'unsure', asked: { supplier: asked.supplier, known: 0, sampled } };
}

const byLikeness = (a: CandidateSupplier, b: CandidateSupplier) =>
  b.agreeing - a.agreeing || b.known - a.known || b.alike - a.alike || a.supplier - b.supplier;

/** Returns whether a list has a layout, folder or filename that only this supplier's lists have. */
export const hasOwnSign = ({ signs }: CandidateSupplier) => signs.some(({ isShared }) => !isShared);

const hasOwnName = ({ signs }: CandidateSupplier) =>
  signs.some(({ kind, isShared }) => kind !== 'layout' && !isShared);

/** Returns whether known keys identify the same products as in earlier lists. 'unknown': too few titles or GTINs. */
function agreement({ known, comparable, agreeing }: CandidateSupplier): 'equal' | 'different' | 'unknown' {
  if (comparable === 0 || comparable < known * comparableShareMin) return 'unknown';
  return agreeing >= comparable * agreeingShareMin ? 'equal' : 'different';
}

function isLikely(candidate: CandidateSupplier, sampled: number): boolean {
  const shareMin = candidate.signs.length > 0 ? knownShareMin : knownShareOfStrangersMin;
  if (candidate.known < sampled * shareMin) return false;
  const agrees = agreement(candidate);
  return agrees === 'equal' || (agrees === 'unknown' && hasOwnName(candidate));
}

/** Returns whether a candidate leads: no other has half as many matching keys, or it alone has a sign of its own. */
function isFirstOf(candidates: readonly CandidateSupplier[], first: CandidateSupplier): boolean {
  const weightOf = ({ known, agreeing }: CandidateSupplier) => (first.agreeing > 0 ? agreeing : known);
  const rivals = candidates.filter((other) => other !== first && weightOf(other) * 2 >= weightOf(first));
  if (rivals.length === 0) return true;
  if (agreement(first) === 'unknown') return false;
  return hasOwnSign(first) && !rivals.some(hasOwnSign);
}

/** Returns whether the folder belongs to the supplier, and the layout or some keys are the supplier's, too. */
function ownsFolder(candidate: CandidateSupplier, sampled: number): boolean {
  const { signs, known } = candidate;
  const isFolders = signs.some(
    ({ kind, isShared, lists }) => kind === 'folder' && !isShared && lists >= folderListsMin,
  );
  const hasLayout = signs.some(({ kind }) => kind === 'layout');
  return isFolders && (hasLayout || known >= Math.max(1, sampled * askedShareMin));
}

/** Returns whether only this supplier has most GTINs, and a sign other than the layout, which dealers may share. */
function hasRenumbered(
  candidate: CandidateSupplier,
  candidates: readonly CandidateSupplier[],
  sampled: number,
): boolean {
  const { equalGtins } = candidate;
  if (equalGtins === 0 || equalGtins < sampled * equalGtinsShareMin || !hasOwnName(candidate)) return false;
  return candidates.every((other) => other === candidate || other.equalGtins * 2 < equalGtins);
}

function isPossible(candidate: CandidateSupplier, sampled: number): boolean {
  const { known, alike, signs } = candidate;
  if (known > 0 && known >= sampled * askedShareMin) {
    const hasOwnLayout = signs.some(({ kind, isShared }) => kind === 'layout' && !isShared);
    return agreement(candidate) !== 'different' || hasOwnLayout;
  }
  const shareMin = hasOwnSign(candidate) ? alikeShareMin : alikeShareOfManyMin;
  return signs.length > 0 && alike > 0 && alike >= sampled * shareMin;
}
