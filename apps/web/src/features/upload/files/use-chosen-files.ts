import type { ReadingAnswer } from '@draftshelf/domain/reading/column-questions';
import { isPartialList } from '@draftshelf/domain/suppliers/is-partial-list';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useState } from 'react';
import type { MappingDraft } from '../../import/index.ts';
import type { DialectLineProps } from '../preview/dialect-line.tsx';
import {
  answerReading,
  changeOverrides,
  sentWithoutPreview,
  usePreviewMapping,
} from '../preview/preview-mapping.ts';
import { usePreview } from '../preview/preview-reader.ts';
import type { UploadOptions } from '../upload-api.ts';
import { isPartialOf, supplierRead } from '../upload-api.ts';
import { type Checked, type ChosenFile, checkedOf, chosenReducer, nothingChosen } from './chosen-files.ts';

const noChoice = {};

export function useChosenFiles() {
  const [{ files, selected }, dispatch] = useReducer(chosenReducer, nothingChosen);
  const current = files.find(({ id }) => id === selected) ?? null;
  const id = current?.id ?? null;
  const readable = current === null || current.isRefused ? null : current.file;
  const mapping = usePreviewMapping(current?.own ?? null);
  const [partialId, setPartialId] = useState<number | null>(null);
  const isPartial = id !== null && id === partialId;
  const reading = usePreview(readable, current?.choice ?? noChoice, mapping.overrides, isPartial);
  const { preview, failure, sha256 } = reading;
  const found = useQuery(supplierRead(readable?.name ?? '', preview, sha256));
  const isFound = reading.complete && !found.isFetching;
  if (
    preview !== null &&
    isFound &&
    isPartialOf(preview, found.data, current?.supplier ?? null) !== isPartial
  ) {
    // The file is read again.
    setPartialId(isPartial ? null : id);
  }
  const headers = preview?.headers ?? null;
  if (headers !== mapping.headers) mapping.setHeaders(headers);
  const isCounted =
    preview !== null && preview.isPartial === isPartial && (isFound || !isPartialList(preview.mapping));
  const complete = reading.complete && !mapping.isPending && isCounted;

  useEffect(() => {
    if (id === null) return;
    const keep = (checked: Checked) => dispatch({ kind: 'change', id, set: { checked } });
    if (failure !== null) keep({ kind: 'failed', failure });
    else if (complete && preview !== null && sha256 !== null) {
      keep(checkedOf(preview, sha256, mapping.isMemoryLost));
    }
  }, [id, complete, preview, failure, sha256, mapping.isMemoryLost]);
  const onChecked = useCallback(
    (checkedId: number, checked: Checked) => dispatch({ kind: 'change', id: checkedId, set: { checked } }),
    [],
  );

  const change = (set: Partial<Pick<ChosenFile, 'choice' | 'changed' | 'own'>>) => {
    if (id !== null) dispatch({ kind: 'change', id, set: { ...set, checked: null } });
  };
  const dialect: DialectLineProps = {
    detected: reading.detected,
    detecting: !reading.complete && failure === null,
    choice: current?.choice ?? noChoice,
    onChange: (choice, changed) => change({ choice, changed }),
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
      change({ own: answerReading(mapping.overrides, header, reading) }),
    setSupplier: (supplier: string | null) => {
      if (id !== null) dispatch({ kind: 'change', id, set: { supplier } });
    },
    /** As an upload sends them. */
    sentOf(
      { id: sentId, choice, own, supplier, checked }: ChosenFile,
      testMode: boolean,
    ): Pick<UploadOptions, 'dialect' | 'mapping' | 'supplier'> {
      const isMemoryLost = checked?.kind === 'read' && checked.isMemoryLost;
      return {
        dialect: choice,
        supplier,
        mapping: sentId === id ? mapping.sent(testMode) : sentWithoutPreview(own, isMemoryLost),
      };
    },
  };
}
