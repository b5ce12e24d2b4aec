import type { DialectChoice } from '@draftshelf/contract/dialect';
import type { MappingOverrides } from '@draftshelf/domain/mapping/header-mapping';
import type { DialectKey } from '../../components/dialect/dialect-words.ts';
import type { Preview } from './preview.ts';

/** At most this many files are chosen at once. */
export const chosenFilesMax = 50;

/** Result of a file's preview. */
export type Checked = { kind: 'read'; products: number; valid: number; exact: boolean } | { kind: 'failed' };

/** A file that the operator has chosen, and what was set for it. */
export type ChosenFile = {
  id: number;
  file: File;
  /** Dialect overrides, and the one that was changed last. */
  choice: DialectChoice;
  changed: DialectKey | null;
  /** Mapping overrides of its own; null: none. */
  own: MappingOverrides | null;
  /** Null until its preview has been read. */
  checked: Checked | null;
};

/** The chosen files, one of which is previewed. */
export type Chosen = { files: readonly ChosenFile[]; selected: number | null; nextId: number };

export const nothingChosen: Chosen = { files: [], selected: null, nextId: 1 };

export type ChosenAction =
  /** `replace`: the new files take the place of all others. */
  | { kind: 'choose'; files: readonly File[]; replace: boolean }
  | { kind: 'select'; id: number }
  | { kind: 'remove'; id: number }
  | { kind: 'change'; id: number; set: Partial<Pick<ChosenFile, 'choice' | 'changed' | 'own' | 'checked'>> }
  | { kind: 'clear' };

const unchanged = { choice: {}, changed: null, own: null, checked: null };

export function chosenReducer(chosen: Chosen, action: ChosenAction): Chosen {
  const { files, selected, nextId } = chosen;
  switch (action.kind) {
    case 'choose': {
      const kept = action.replace ? [] : files;
      const added = action.files
        .slice(0, chosenFilesMax - kept.length)
        .map((file, at) => ({ ...unchanged, id: nextId + at, file }));
      const [first] = added;
      if (first === undefined) return chosen;
      return { files: [...kept, ...added], selected: first.id, nextId: nextId + added.length };
    }
    case 'select':
      return { ...chosen, selected: action.id };
    case 'remove': {
      const at = files.findIndex(({ id }) => id === action.id);
      const left = files.filter(({ id }) => id !== action.id);
      const next = selected === action.id ? (left[at] ?? left.at(-1))?.id : selected;
      return { ...chosen, files: left, selected: next ?? null };
    }
    case 'change':
      return {
        ...chosen,
        files: files.map((one) => (one.id === action.id ? { ...one, ...action.set } : one)),
      };
    case 'clear':
      return { ...nothingChosen, nextId };
  }
}

/** The result to keep of a preview that has been read to its end. */
export function checkedOf({ products, valid, exact }: Preview): Checked {
  return { kind: 'read', products, valid, exact };
}
