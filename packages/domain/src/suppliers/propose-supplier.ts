/** What lists of a supplier have in common. */
export type SupplierSign = {
  kind: 'layout' | 'folder' | 'filename';
  value: string;
};

/** Whether a list is this supplier's, whose items `known` of `sampled` rows are. Only the operator can tell. */
export type SupplierQuestion = { supplier: number; known: number; sampled: number };

/** A supplier that a list may be from, and what the two have in common. */
export type CandidateSupplier = {
  supplier: number;
  /** An earlier list of the supplier has the same bytes. */
  hasFile: boolean;
  /** Signs of the list that earlier lists of the supplier have. `isShared`: those of other suppliers have it, too. */
  signs: readonly { kind: SupplierSign['kind']; lists: number; isShared: boolean }[];
  /** Keys of the sample that are the supplier's items, those whose titles or GTINs can be compared, and agree. */
  known: number;
  comparable: number;
  agreeing: number;
  /** Rows of the sample whose title or GTIN an item has, under any key, and those whose GTIN one has. */
  alike: number;
  equalGtins: number;
  /** No list or item of the supplier is left to compare with. `named`: the list would give a new one its name. */
  left: 'named' | 'unnamed' | null;
};

/** A sample of a list: its rows, those with a key, and the different keys. */
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
/** or this share, if neither layout nor names are known: two dealers may have the products of one maker, */
const knownShareOfStrangersMin = 0.8;
/** of which enough have a title or GTIN, as first rows of products have, */
const comparableShareMin = 0.1;
/** and of these have an equal one: item numbers 1001, 1002, … of two suppliers have not. */
const agreeingShareMin = 0.3;
/** From this share of known keys on, or of equal titles and GTINs, the operator is asked. */
const askedShareMin = 0.1;
const alikeShareMin = 0.3;
/** In a layout that several suppliers have, from this share of equal titles and GTINs on. */
const alikeShareOfManyMin = 0.8;
/** With this share of equal GTINs, a supplier whose lists alone are named so has given its items other numbers. */
const equalGtinsShareMin = 0.8;
/** A folder is the supplier's if all of its lists are, and these are as many. */
const folderListsMin = 3;

/** Whose list a file is, by a sample of its rows and by what it has in common with the lists of each supplier. */
export function proposeSupplier(evidence: ListEvidence): SupplierProposal {
  const { rows, keyed, sampled } = evidence;
  const candidates = evidence.candidates.toSorted(byLikeness);
  const withFile = candidates.find(({ hasFile }) => hasFile);
  if (withFile) return { is: 'certain', supplier: withFile.supplier };
  if (rows === 0 || keyed < rows * keyedShareMin) return { is: 'none' };
  const likely = candidates.filter((candidate) => isLikely(candidate, sampled));
  const [first] = likely;
  if (first && isFirstOf(candidates, first)) return { is: 'certain', supplier: first.supplier };
  const owner = candidates.find((candidate) => ownsFolder(candidate, sampled));
  if (owner && !first) return { is: 'certain', supplier: owner.supplier };
  const renumbered = candidates.find((candidate) => hasRenumbered(candidate, candidates, sampled));
  if (renumbered && !first) return { is: 'certain', supplier: renumbered.supplier };
  const asked = first ?? candidates.find((candidate) => isPossible(candidate, sampled));
  if (!asked) return proposeLeft(candidates, sampled);
  const known = Math.min(sampled, Math.max(asked.known, asked.alike));
  return { is: 'unsure', asked: { supplier: asked.supplier, known, sampled } };
}

/** A supplier of which nothing is left to compare with is known by its name, and a layout alone may be anybody's. */
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

/** Whether a list has the layout or a name that only lists of this supplier have. */
export const hasOwnSign = ({ signs }: CandidateSupplier) => signs.some(({ isShared }) => !isShared);

/** Whether only lists of this supplier are named or filed so. */
const hasOwnName = ({ signs }: CandidateSupplier) =>
  signs.some(({ kind, isShared }) => kind !== 'layout' && !isShared);

/** Whether known keys name the same products. `unknown`: too few rows have a title or a GTIN on both sides. */
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

/**
 * Whether no other supplier has half as much of a list, or only this one had such lists. Numbers without titles and
 * GTINs may be anybody's: 1001, 1002, …
 */
function isFirstOf(candidates: readonly CandidateSupplier[], first: CandidateSupplier): boolean {
  const weightOf = ({ known, agreeing }: CandidateSupplier) => (first.agreeing > 0 ? agreeing : known);
  const rivals = candidates.filter((other) => other !== first && weightOf(other) * 2 >= weightOf(first));
  if (rivals.length === 0) return true;
  if (agreement(first) === 'unknown') return false;
  return hasOwnSign(first) && !rivals.some(hasOwnSign);
}

/** Without a known layout and without a known key, a file of the folder may be anyone's. */
function ownsFolder(candidate: CandidateSupplier, sampled: number): boolean {
  const { signs, known } = candidate;
  const isFolders = signs.some(
    ({ kind, isShared, lists }) => kind === 'folder' && !isShared && lists >= folderListsMin,
  );
  const hasLayout = signs.some(({ kind }) => kind === 'layout');
  return isFolders && (hasLayout || known >= Math.max(1, sampled * askedShareMin));
}

/**
 * Whether the rows have the GTINs of this supplier's items, and no other has half as many of them. A layout is not
 * enough: two dealers of one maker may export from the same program.
 */
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
