import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import type { ReadingAnswer } from '@draftshelf/domain/reading/column-questions';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import { isPartialList } from '@draftshelf/domain/suppliers/is-partial-list';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useState } from 'react';
import type { DialectKey, MappingDraft } from '../../import/index.ts';
import type { Preview } from '../preview/preview.ts';
import {
  addReadingAnswer,
  changeOverrides,
  chooseServerOnlyOverrides,
  listMissingFields,
  usePreviewMapping,
} from '../preview/preview-mapping.ts';
import { usePreview } from '../preview/preview-reader.ts';
import type { ReadingFailure } from '../preview/preview-state.ts';
import type { Upload } from '../run/uploads.ts';
import { isReadAsPartialList, supplierQuery, type UploadOptions } from '../upload-api.ts';

export const chosenFilesMax = 50;

/** The result of reading a file in this browser, without the edits of an earlier import of the file. */
export type FileReading = {
  kind: 'read';
  products: number;
  /** False if the counts are approximate. */
  exact: boolean;
  valid: number;
  warnings: number;
  errors: number;
  /** Number of products that can be pushed despite a warning. */
  parents: number;
  sha256: string;
  columns: {
    all: number;
    mapped: number;
    /** Required fields that have no column. */
    missing: readonly CanonicalField[];
    /** The origin of mapped fields that were not detected; null if all were detected. */
    setBy: 'operator' | 'memory' | null;
  };
  /** Whether the server did not answer which overrides are remembered for the headers. */
  isMemoryLost: boolean;
};

export type FileCheck = FileReading | { kind: 'failed'; failure: ReadingFailure };

export type ChosenFile = {
  id: number;
  file: File;
  /** `choice`: the overrides of the dialect. `changed`: the override that was changed last. */
  choice: DialectChoice;
  changed: DialectKey | null;
  /** The file's own mapping overrides; null if there are none. */
  own: MappingOverrides | null;
  /** The chosen supplier; null if the operator has chosen none. */
  supplier: string | null;
  /** Null until the file is checked. */
  checked: FileCheck | null;
  /** Whether the file was refused by its type or size, so that it was not read. */
  isRefused: boolean;
  uploadId: number | null;
};

export type RefusedFile = { file: File; message: string };

/** The chosen files in the order of the rows. `selected`: id of the previewed file; null if no file is previewed. */
export type FileSelection = { files: readonly ChosenFile[]; selected: number | null; nextId: number };

export const emptySelection: FileSelection = { files: [], selected: null, nextId: 1 };

export type SelectionAction =
  /** `replace`: the new files replace all others. */
  | { kind: 'choose'; files: readonly File[]; refused?: readonly RefusedFile[]; replace: boolean }
  | { kind: 'select'; id: number | null }
  | { kind: 'start'; uploads: ReadonlyMap<number, number> }
  | { kind: 'remove'; id: number }
  | {
      kind: 'change';
      id: number;
      set: Partial<Pick<ChosenFile, 'choice' | 'changed' | 'own' | 'supplier' | 'checked'>>;
    }
  /** Removes the files that are not uploaded. */
  | { kind: 'clear' };

const unchanged = {
  ...{ choice: {}, changed: null, own: null, supplier: null },
  ...{ checked: null, isRefused: false, uploadId: null },
};

export const listNotUploaded = (files: readonly ChosenFile[]): ChosenFile[] =>
  files.filter(({ uploadId }) => uploadId === null);

/** Whether a check has shown that the file cannot be uploaded. */
export const isUnfit = ({ checked }: ChosenFile): boolean =>
  checked?.kind === 'failed' && !checked.failure.isOfBrowser;

/** Whether this browser cannot read the file, but the server may. */
export const isOnlyForServer = (file: ChosenFile): boolean =>
  file.checked?.kind === 'failed' && !isUnfit(file);

export function selectionReducer(state: FileSelection, action: SelectionAction): FileSelection {
  const { files, selected, nextId } = state;
  switch (action.kind) {
    case 'choose': {
      const keptFiles = action.replace ? [] : files;
      const room = chosenFilesMax - listNotUploaded(keptFiles).length;
      const fit = action.files.map((file) => ({ ...unchanged, file }));
      const unfit = (action.refused ?? []).map(({ file, message }) => ({
        ...{ ...unchanged, file, isRefused: true },
        checked: { kind: 'failed' as const, failure: { message, isBeyondDialects: true } },
      }));
      const newFiles = [...fit, ...unfit].slice(0, room).map((file, at) => ({ ...file, id: nextId + at }));
      const [first] = newFiles;
      if (first === undefined) return state;
      return { files: [...keptFiles, ...newFiles], selected: first.id, nextId: nextId + newFiles.length };
    }
    case 'select':
      return { ...state, selected: action.id };
    case 'start': {
      const nowFiles = files.map((file) => ({
        ...file,
        uploadId: action.uploads.get(file.id) ?? file.uploadId,
      }));
      return { ...state, files: nowFiles, selected: stillSelected(nowFiles, selected) };
    }
    case 'remove': {
      const at = files.findIndex(({ id }) => id === action.id);
      const left = files.filter(({ id }) => id !== action.id);
      if (selected !== action.id) return { ...state, files: left };
      const next = listNotUploaded(left.slice(Math.max(0, at)))[0] ?? listNotUploaded(left).at(-1);
      return { ...state, files: left, selected: next?.id ?? null };
    }
    case 'change':
      return {
        ...state,
        files: files.map((file) => (file.id === action.id ? { ...file, ...action.set } : file)),
      };
    case 'clear':
      return { files: files.filter(({ uploadId }) => uploadId !== null), selected: null, nextId };
  }
}

/** Returns the selected id if its file is still listed, else the id of the first usable file, or null. */
function stillSelected(files: readonly ChosenFile[], selected: number | null): number | null {
  const left = listNotUploaded(files);
  if (selected === null || left.some(({ id }) => id === selected)) return selected;
  return left.find((file) => !isUnfit(file))?.id ?? null;
}

export function toFileReading(preview: Preview, sha256: string, isMemoryLost: boolean): FileReading {
  const { products, exact, valid, warnings, errors, parents, mapping } = preview;
  const setBy = (who: 'operator' | 'memory') => mapping.columns.some((column) => column.setBy === who);
  return {
    ...{ kind: 'read', products, exact, valid, warnings, errors, parents, sha256, isMemoryLost },
    columns: {
      all: mapping.columns.length,
      mapped: mapping.columns.filter(({ field }) => field !== null).length,
      missing: listMissingFields(preview),
      setBy: setBy('operator') ? 'operator' : setBy('memory') ? 'memory' : null,
    },
  };
}

/** A row of the list: a chosen file, an upload, or a file with its upload. */
export type FileRow = {
  /** Stays the same when a chosen file becomes an upload. */
  key: string;
  name: string;
  bytes: number;
  file: ChosenFile | null;
  upload: Upload | null;
};

/** Returns the rows: first uploads of earlier visits of the screen, then chosen files, so that no row moves. */
export function buildFileRows(files: readonly ChosenFile[], uploads: readonly Upload[]): FileRow[] {
  const isChosen = (upload: Upload) => files.some(({ uploadId }) => uploadId === upload.id);
  const others = uploads
    .filter((upload) => !isChosen(upload))
    .map((upload) => ({
      ...{ key: `upload-${upload.id}`, name: upload.filename, bytes: upload.fileBytes },
      ...{ file: null, upload },
    }));
  const ownRows = files.flatMap((file) => {
    const upload = uploads.find(({ id }) => id === file.uploadId) ?? null;
    if (file.uploadId !== null && upload === null) return [];
    return [{ key: fileRowKey(file.id), name: file.file.name, bytes: file.file.size, file, upload }];
  });
  return [...others, ...ownRows];
}

export const fileRowKey = (id: number): string => `file-${id}`;

const noChoice = {};

export function useChosenFiles() {
  const [{ files, selected }, dispatch] = useReducer(selectionReducer, emptySelection);
  const current = files.find(({ id }) => id === selected) ?? null;
  const id = current?.id ?? null;
  const readable = current === null || current.isRefused ? null : current.file;
  const mapping = usePreviewMapping(current?.own ?? null);
  const [partialId, setPartialId] = useState<number | null>(null);
  const isPartial = id !== null && id === partialId;
  const reading = usePreview(readable, current?.choice ?? noChoice, mapping.overrides, isPartial);
  const { preview, failure, sha256 } = reading;
  const found = useQuery(supplierQuery(readable?.name ?? '', preview, sha256));
  const isFound = reading.complete && !found.isFetching;
  if (
    preview !== null &&
    isFound &&
    isReadAsPartialList(preview, found.data, current?.supplier ?? null) !== isPartial
  ) {
    // Any change of this state makes the reader read the file again.
    setPartialId(isPartial ? null : id);
  }
  const headers = preview?.headers ?? null;
  if (headers !== mapping.headers) mapping.setHeaders(headers);
  const isCounted =
    preview !== null && preview.isPartial === isPartial && (isFound || !isPartialList(preview.mapping));
  const complete = reading.complete && !mapping.isPending && isCounted;

  useEffect(() => {
    if (id === null) return;
    const keep = (checked: FileCheck) => dispatch({ kind: 'change', id, set: { checked } });
    if (failure !== null) keep({ kind: 'failed', failure });
    else if (complete && preview !== null && sha256 !== null) {
      keep(toFileReading(preview, sha256, mapping.isMemoryLost));
    }
  }, [id, complete, preview, failure, sha256, mapping.isMemoryLost]);
  const onChecked = useCallback(
    (checkedId: number, checked: FileCheck) => dispatch({ kind: 'change', id: checkedId, set: { checked } }),
    [],
  );

  const change = (set: Partial<Pick<ChosenFile, 'choice' | 'changed' | 'own'>>) => {
    if (id !== null) dispatch({ kind: 'change', id, set: { ...set, checked: null } });
  };
  const dialect = {
    detected: reading.detected,
    /** Whether the reader may still change `detected`. */
    detecting: !reading.complete && failure === null,
    choice: current?.choice ?? noChoice,
    onChange: (choice: DialectChoice, changed: DialectKey | null) => change({ choice, changed }),
    firstRecords: preview?.firstRecords ?? [],
    tables: preview?.tables ?? [],
    focused: current?.changed ?? null,
  };
  return {
    files,
    current,
    onChecked,
    reading,
    found: found.data,
    complete,
    dialect,
    memory: mapping.memory,
    dispatch,
    setMapping: (draft: MappingDraft) => change({ own: changeOverrides(mapping.overrides, draft) }),
    setReading: (header: string, reading: ReadingAnswer) =>
      change({ own: addReadingAnswer(mapping.overrides, header, reading) }),
    setSupplier: (supplier: string | null) => {
      if (id !== null) dispatch({ kind: 'change', id, set: { supplier } });
    },
    /** Returns the overrides that are sent with a file's upload. */
    sentOf(
      { id: sentId, choice, own, supplier, checked }: ChosenFile,
      testMode: boolean,
    ): Pick<UploadOptions, 'dialect' | 'mapping' | 'supplier'> {
      const isMemoryLost = checked?.kind === 'read' && checked.isMemoryLost;
      return {
        dialect: choice,
        supplier,
        mapping: sentId === id ? mapping.sent(testMode) : chooseServerOnlyOverrides(own, isMemoryLost),
      };
    },
  };
}
