import { Table } from '@mantine/core';
import {
  ColumnProfile,
  chipsAround,
  columnChipWords,
  focusColumnChip,
  ghostWords,
  LazyMappingChoice,
  MappingChip,
  type MappingDraft,
  useMappingChips,
} from '../import/index.ts';
import type { Preview } from './preview.ts';
import { alignmentOf, editorColumns, fieldsOfColumn, missingOf } from './preview-mapping.ts';
import classes from './upload.module.css';

type PreviewHeadProps = {
  preview: Preview;
  /** The number of columns that are shown. */
  columns: number;
  withProblems: boolean;
  onMapping: (draft: MappingDraft) => void;
};

/** Says what a choice in the preview does. */
export const choiceNote = 'The preview and the upload use it. It’s remembered for files with these columns.';

/**
 * The heads of the file's columns, each with the field that is read from it and what its first rows hold. A required
 * field without a column has a column of its own at the left.
 */
export function PreviewHead({ preview, columns, withProblems, onMapping }: PreviewHeadProps) {
  const missing = missingOf(preview).map((field) => ({ field }));
  const shown = preview.headers.slice(0, columns).map((header) => ({ header }));
  const { chip, open, close } = useMappingChips([...missing, ...shown]);
  return (
    <Table.Thead {...chipsAround}>
      <Table.Tr>
        <Table.Th className={classes.rowNumber}>Row</Table.Th>
        {withProblems && <Table.Th>Problem</Table.Th>}
        {missing.map((target) => {
          const words = ghostWords(target.field);
          return (
            <Table.Th key={target.field} className={classes.ghost}>
              <MappingChip state="missing" words={{ text: words, name: words }} chip={chip(target)} />
            </Table.Th>
          );
        })}
        {shown.map((target, index) => {
          const fields = fieldsOfColumn(preview, index);
          return (
            <Table.Th key={target.header} ta={alignmentOf(preview, index)} aria-label={target.header}>
              <span className={classes.cell} dir="auto">
                {target.header}
              </span>
              <div className={classes.headChip}>
                <MappingChip
                  state={fields.length > 0 ? 'used' : 'unused'}
                  words={columnChipWords(target.header, fields)}
                  chip={chip(target)}
                />
              </div>
              <ColumnProfile profile={preview.columns[index]?.profile ?? null} />
            </Table.Th>
          );
        })}
      </Table.Tr>
      <LazyMappingChoice
        open={open}
        columns={editorColumns(preview)}
        note={choiceNote}
        onPick={(draft, { anchor, target }) => {
          // The column of a missing field disappears with the choice.
          if ('field' in target) focusColumnChip(anchor, Object.keys(draft)[0]);
          onMapping(draft);
        }}
        onClose={close}
      />
    </Table.Thead>
  );
}
