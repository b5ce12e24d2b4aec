export type SupplierSign = {
  kind: 'layout' | 'folder' | 'filename';
  value: string;
};

/** Whether a list is this supplier's, whose items `known` of `sampled` rows are. Only the operator can tell. */
export type SupplierQuestion = { supplier: number; known: number; sampled: number };

export type CandidateSupplier = {
  supplier: number;
  /** An earlier list of the supplier has the same bytes. */
  hasFile: boolean;
  /** Signs shared with the supplier's lists. `isShared`: lists of other suppliers have it too. */
  signs: readonly { kind: SupplierSign['kind']; lists: number; isShared: boolean }[];
  /** Sampled keys that are the supplier's items, of these the comparable ones, and the ones that agree. */
  known: number;
  comparable: number;
  agreeing: number;
  /** Sampled rows with an item's title or GTIN, under any key, and those with its GTIN. */
  alike: number;
  equalGtins: number;
  /** The supplier has nothing left to compare with. `named`: the list would give a new one its name. */
  left: 'named' | 'unnamed' | null;
};

/** A sample: rows, rows with a key, and different keys. */
export type ListEvidence = {
  rows: number;
  keyed: number;
  sampled: number;
  candidates: readonly CandidateSupplier[];
};

/** `none`: nothing identifies the list's rows, so it cannot be compared. */
export type SupplierProposal =
  | { is: 'certain'; supplier: number }
  | { is: 'unsure'; asked: SupplierQuestion }
  | { is: 'new' }
  | { is: 'none' };

/** At least this share of the rows has a key, */
const keyedShareMin = 0.5;
/** of the keys are items of the supplier, */
const knownShareMin = 0.5;
/** or this share if layout and names are unknown: two dealers may have the products of one maker, */
const knownShareOfStrangersMin = 0.8;
/** of which enough have a title or GTIN, as first rows of products have, */
const comparableShareMin = 0.1;
/** and of these have an equal one: item numbers 1001, 1002, … of two suppliers have not. */
const agreeingShareMin = 0.3;
/** From this share of known keys, or of equal titles and GTINs, the operator is asked. */
const askedShareMin = 0.1;
const alikeShareMin = 0.3;
/** The same, for a layout that several suppliers have. */
const alikeShareOfManyMin = 0.8;
/** With this share of equal GTINs, a supplier with a name of its own has renumbered its items. */
const equalGtinsShareMin = 0.8;
/** A folder belongs to a supplier if all of at least this many lists do. */
const folderListsMin = 3;

/** Proposes the supplier of a list, by a sample of its rows and the candidates' signs. */
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

/** Proposes a supplier without items, by its name; a layout alone proves nothing. */
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

/** Whether a list has a layout or name that only this supplier's lists have. */
export const hasOwnSign = ({ signs }: CandidateSupplier) => signs.some(({ isShared }) => !isShared);

const hasOwnName = ({ signs }: CandidateSupplier) =>
  signs.some(({ kind, isShared }) => kind !== 'layout' && !isShared);

/** Whether known keys name the same products. `unknown`: too few titles or GTINs on both sides. */
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

/** Whether no other supplier has half as much, or only this one had such lists: keys like 1001 may be anybody's. */
function isFirstOf(candidates: readonly CandidateSupplier[], first: CandidateSupplier): boolean {
  const weightOf = ({ known, agreeing }: CandidateSupplier) => (first.agreeing > 0 ? agreeing : known);
  const rivals = candidates.filter((other) => other !== first && weightOf(other) * 2 >= weightOf(first));
  if (rivals.length === 0) return true;
  if (agreement(first) === 'unknown') return false;
  return hasOwnSign(first) && !rivals.some(hasOwnSign);
}

/** Whether the folder's lists are the supplier's. Without a known layout and key, a file of it may be anyone's. */
function ownsFolder(candidate: CandidateSupplier, sampled: number): boolean {
  const { signs, known } = candidate;
  const isFolders = signs.some(
    ({ kind, isShared, lists }) => kind === 'folder' && !isShared && lists >= folderListsMin,
  );
  const hasLayout = signs.some(({ kind }) => kind === 'layout');
  return isFolders && (hasLayout || known >= Math.max(1, sampled * askedShareMin));
}

/** Whether only this supplier has most GTINs. A layout is not enough: two dealers may export from the same program. */
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
