export type CountedValue = { value: string; rows: number };

/** Values that are probably spellings of the same value, the most common first. */
export type ValueCluster = CountedValue[];

const clustersMax = 50;
const spellingsMax = 20;

/** Groups values that differ only in case, spaces, punctuation, accents or word order. The largest group is first. */
export function clusterValues(
  values: readonly CountedValue[],
  split: (value: string) => readonly [common: string, spelling: string] = (value) => ['', value],
): ValueCluster[] {
  const groups = Map.groupBy(values, ({ value }) => {
    const [common, spelling] = split(value);
    const fingerprint = fingerprintOf(spelling);
    return fingerprint === '' ? null : `${common}${fingerprint}`;
  });
  groups.delete(null);
  const clusters = [...groups.values()].filter(({ length }) => length > 1);
  const rowsOf = (cluster: ValueCluster) => cluster.reduce((sum, { rows }) => sum + rows, 0);
  return clusters
    .sort((one, other) => rowsOf(other) - rowsOf(one))
    .slice(0, clustersMax)
    .map((cluster) => cluster.sort((one, other) => other.rows - one.rows).slice(0, spellingsMax));
}

const accents = /\p{M}/gu;
/** Punctuation that is not between digits, because '12.5' and '125', or '1/2' and '12', are different sizes. */
const punctuation = /(?<!\d)\p{P}|\p{P}(?!\d)/gu;
const joining = /[\p{Pd}/_]/gu;

/** Returns the same text for spellings of the same value, or '' if the value is only punctuation. */
function fingerprintOf(value: string): string {
  const plain = value.normalize('NFKD').replace(accents, '').toLowerCase();
  const isNumbered = /\d/.test(plain);
  const parted = isNumbered ? plain : plain.replace(joining, ' ');
  const words = parted.replace(punctuation, '').split(/\s+/).filter(Boolean);
  // '10 x 20' and '20 x 10' are different sizes.
  return (isNumbered ? words : [...new Set(words)].sort()).join(' ');
}
