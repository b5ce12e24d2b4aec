import type { Job } from '@draftshelf/contract/imports/imports';
import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import type { FileTable } from '@draftshelf/contract/reading/tables';
import { delimiterNames, delimiters, quotes, shownRecordNumber } from '@draftshelf/csv/dialect';
import type { Encoding } from '@draftshelf/csv/encoding/encodings';
import { Group, Select, type SelectProps } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { capitalize, countOf, listed } from '../../../lib/intl.ts';
import { SmallText } from '../../../ui/basics.tsx';
import classes from './mapping.module.css';

type DialectFieldsProps = FileOutline & {
  /** The dialect without overrides, as far as it is known. `basisMark` labels the options of this dialect. */
  basis: Partial<ReadDialect>;
  basisMark: string;
  /** True while the dialect is being detected. Any picked option then becomes an override, even the shown one. */
  detecting?: boolean;
  choice: DialectChoice;
  onChange: (choice: DialectChoice, changed: DialectKey) => void;
  /** The field to focus on mount, because the operator has changed it and the change has moved the fields. */
  focused?: DialectKey | null;
};

export function DialectFields({ basis, choice, onChange, focused, ...props }: DialectFieldsProps) {
  const { basisMark, detecting = false } = props;
  return (
    <fieldset className={`${classes.fields} grid`} aria-label="File format">
      {listDialectKeys(basis).map((key) => {
        const basisValue = readDialectPart(basis, key);
        const current = choice[key] ?? basisValue;
        return (
          <Select
            key={key}
            size="xs"
            label={dialectPartLabel(key, basis)}
            data={listDialectOptions(key, [basisValue, current], props)}
            value={current === undefined ? null : String(current)}
            placeholder={basisMark}
            searchable={key === 'encoding'}
            openOnFocus={false}
            // Selects the text, so that typing replaces the text and searches the options.
            onFocus={(event) => key === 'encoding' && event.currentTarget.select()}
            nothingFoundMessage="No matching encoding"
            maxDropdownHeight={280}
            comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
            renderOption={markedOption(String(basisValue), basisMark)}
            autoFocus={key === focused}
            // Not `onChange`, which is not called if the shown value is picked.
            onOptionSubmit={(value) => {
              const nextChoice = overrideDialect(choice, detecting ? {} : basis, key, value);
              if (nextChoice[key] !== choice[key]) onChange(nextChoice, key);
            }}
          />
        );
      })}
    </fieldset>
  );
}

/** Marks the option that applies if there is no override. */
const markedOption =
  (basisValue: string, mark: string): SelectProps['renderOption'] =>
  ({ option, checked }: { option: DialectOption; checked?: boolean }) => (
    <Group gap="xs" wrap="nowrap" w="100%" className={classes.dialectOption}>
      <span className={`${classes.check} rigid`}>{checked && <IconCheck size={14} aria-hidden />}</span>
      <span>{option.label}</span>
      <SmallText component="span" dir="auto" className={`ellipsis ${classes.more}`}>
        {option.more}
      </SmallText>
      {option.value === basisValue && <SmallText component="span">{mark}</SmallText>}
    </Group>
  );

/** The dialect of a reply. A newer server may send values that this page does not know. */
export type ReadDialect = Omit<NonNullable<Job['dialect']>, 'table'> &
  Partial<Pick<NonNullable<Job['dialect']>, 'table'>>;
export type DialectKey = keyof DialectChoice;
export type OfferedTable = Pick<FileTable, 'name' | 'kind' | 'hidden' | 'rows' | 'isList'>;
/** `more`: for a header record, the beginning of the record, shown after its number. */
export type DialectOption = { value: string; label: string; more?: string };

/** The common name and, for an encoding of certain scripts, those scripts. */
const encodingNames: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Western)',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'utf-32le': 'UTF-32 LE',
  'utf-32be': 'UTF-32 BE',
  'iso-8859-1': 'ISO-8859-1 (Western)',
  'iso-8859-15': 'ISO-8859-15 (Western)',
  macintosh: 'Mac Roman (Western)',
  'windows-1250': 'Windows-1250 (Central European)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  shift_jis: 'Shift-JIS (Japanese)',
  gb18030: 'GB18030 (Chinese, simplified)',
  big5: 'Big5 (Chinese, traditional)',
  'euc-kr': 'EUC-KR (Korean)',
  'euc-jp': 'EUC-JP (Japanese)',
  'windows-1253': 'Windows-1253 (Greek)',
  'windows-1254': 'Windows-1254 (Turkish)',
  'windows-1255': 'Windows-1255 (Hebrew)',
  'windows-1256': 'Windows-1256 (Arabic)',
  'windows-1257': 'Windows-1257 (Baltic)',
  'windows-1258': 'Windows-1258 (Vietnamese)',
  'windows-874': 'Windows-874 (Thai)',
  'iso-8859-2': 'ISO-8859-2 (Central European)',
  'iso-8859-3': 'ISO-8859-3 (South European)',
  'iso-8859-4': 'ISO-8859-4 (Baltic)',
  'iso-8859-5': 'ISO-8859-5 (Cyrillic)',
  'iso-8859-6': 'ISO-8859-6 (Arabic)',
  'iso-8859-7': 'ISO-8859-7 (Greek)',
  'iso-8859-8': 'ISO-8859-8 (Hebrew)',
  'iso-8859-10': 'ISO-8859-10 (Nordic)',
  'iso-8859-13': 'ISO-8859-13 (Baltic)',
  'iso-8859-14': 'ISO-8859-14 (Celtic)',
  'iso-8859-16': 'ISO-8859-16 (Romanian)',
  'koi8-r': 'KOI8-R (Cyrillic)',
  'koi8-u': 'KOI8-U (Ukrainian)',
  'x-mac-cyrillic': 'Mac Cyrillic',
  ibm866: 'DOS 866 (Cyrillic)',
  cp437: 'DOS 437 (US)',
  cp850: 'DOS 850 (Western)',
  cp852: 'DOS 852 (Central European)',
  cp857: 'DOS 857 (Turkish)',
};

/** In the order of `encodingNames`, which is sorted by how often suppliers use each encoding. */
const encodingOptions: DialectOption[] = Object.entries(encodingNames).map(([value, label]) => ({
  value,
  label,
}));

const quoteNames: Record<(typeof quotes)[number], string> = {
  '"': 'double quotes',
  "'": 'single quotes',
  '`': 'backticks',
  '': 'no quotes',
};

/** An ASCII character that is visible when printed. */
const visible = /[!-~]/;

/** Example: 'Comma ,'. */
function labelOf(name: string, char: string): string {
  return visible.test(char) ? `${capitalize(name)} ${char}` : capitalize(name);
}

/** Number of header records to choose from while the file's first records are unknown. */
const headerRecordsOffered = 20;

const recordLabel = (record: number, sheetRows: readonly number[] | undefined) =>
  `Row ${shownRecordNumber(record, sheetRows)}`;

function headerOptions({ firstRecords = [], sheetRows }: FileOutline): DialectOption[] {
  const length = firstRecords.length === 0 ? headerRecordsOffered : firstRecords.length;
  const records = Array.from({ length }, (_, record) => {
    const more = firstRecords[record];
    return { value: String(record), label: recordLabel(record, sheetRows), ...(more ? { more } : {}) };
  });
  return [...records, { value: '-1', label: 'No header' }];
}

export const dialectLabels = {
  table: 'Sheet',
  encoding: 'Encoding',
  delimiter: 'Separator',
  quote: 'Quotes',
  headerRecord: 'Header row',
} as const satisfies Record<DialectKey, string>;
export const dialectKeys = Object.keys(dialectLabels) as DialectKey[];

/** Returns the parts of the dialect to offer. A sheet has no encoding or separators, and the file in a .gz no name. */
export function listDialectKeys({ table }: Partial<ReadDialect>): DialectKey[] {
  if (table?.kind === 'sheet') return ['table', 'headerRecord'];
  return table?.name ? dialectKeys : dialectKeys.filter((key) => key !== 'table');
}

/** Returns the label of a part of the dialect. The tables of an archive are called lists. */
export const dialectPartLabel = (key: DialectKey, { table }: Partial<ReadDialect>): string =>
  key === 'table' && table?.kind === 'file' ? 'List' : dialectLabels[key];

/** Returns a part of the dialect in the form of an override: for a table its name, else the value itself. */
export const readDialectPart = (
  dialect: Partial<ReadDialect>,
  key: DialectKey,
): string | number | undefined => (key === 'table' ? dialect.table?.name : dialect[key]);

export type FileOutline = {
  tables?: readonly OfferedTable[];
  firstRecords?: readonly string[];
  sheetRows?: readonly number[] | undefined;
};

/** Returns the options for a part of the dialect. Adds current values that a newer server sent and this page lacks. */
export function listDialectOptions(
  key: DialectKey,
  current: readonly (string | number | undefined)[],
  { tables = [], ...parts }: FileOutline,
): DialectOption[] {
  const options = {
    table: () => tables.map((table) => ({ value: table.name, label: tableLabel(table) })),
    encoding: () => encodingOptions,
    delimiter: () => delimiters.map((value) => ({ value, label: labelOf(delimiterNames[value], value) })),
    quote: () => quotes.map((value) => ({ value, label: labelOf(quoteNames[value], value) })),
    headerRecord: () => headerOptions(parts),
  }[key]();
  const knownValues = new Set(options.map(({ value }) => value));
  const unknownValues = new Set(
    current.flatMap((value) => (value === undefined || knownValues.has(`${value}`) ? [] : [`${value}`])),
  );
  const unknownLabel = (value: string) =>
    key === 'headerRecord' ? recordLabel(Number(value), parts.sheetRows) : value;
  return [...options, ...[...unknownValues].map((value) => ({ value, label: unknownLabel(value) }))];
}

/** Example: 'Prices — 812 rows', 'Notes — no products' or 'Old (hidden) — 90 rows'. */
function tableLabel({ name, hidden, rows, isList }: OfferedTable): string {
  const shown = hidden ? `${name} (hidden)` : name;
  if (isList === false) return `${shown} — no products`;
  return rows === null ? shown : `${shown} — ${countOf(rows, 'row')}`;
}

/** Sets an override, or removes it if the value is that of `basis`. Choosing another table removes all others. */
export function overrideDialect(
  choice: DialectChoice,
  basis: Partial<ReadDialect>,
  key: DialectKey,
  value: string,
): DialectChoice {
  const { [key]: _before, ...others } = key === 'table' ? { table: choice.table } : choice;
  if (String(readDialectPart(basis, key)) === value) return others;
  return { ...others, [key]: key === 'headerRecord' ? Number(value) : value };
}

/** Example: 'UTF-8 · comma-separated · header in row 1'. Leaves out double quotes, which are the default. */
export function dialectWords(dialect: ReadDialect): string {
  const { encoding, delimiter, quote, headerRecord, table, sheetRows } = dialect;
  const written = [
    nameIn(encodingNames, encoding),
    separatorWords(delimiter),
    ...(quote === '"' ? [] : [nameIn(quoteNames, quote)]),
  ];
  return [
    ...(table?.name ? [tableWords(table)] : []),
    ...(table?.kind === 'sheet' ? [] : written),
    headerRecord < 0 ? 'no header' : `header in row ${shownRecordNumber(headerRecord, sheetRows)}`,
  ].join(' · ');
}

const tableWords = ({ name, kind }: NonNullable<ReadDialect['table']>): string =>
  kind === 'sheet' ? `Sheet ‘${name}’` : `‘${name}’`;

/** Example: 'comma-separated'. A name of several words, such as 'unit separator (0x1F)', stays as it is. */
function separatorWords(delimiter: string): string {
  const name = nameIn(delimiterNames, delimiter);
  return /^[a-z]+$/.test(name) ? `${name}-separated` : name;
}

/** Example: 'You chose this sheet. You changed: separator and header row.' */
export function choiceWords({ table, ...others }: DialectChoice, read: Partial<ReadDialect>): string {
  const parts = listChosenKeys(others).map((key) => dialectLabels[key].toLowerCase());
  return [
    ...(table === undefined ? [] : [`You chose this ${dialectPartLabel('table', read).toLowerCase()}.`]),
    ...(parts.length === 0 ? [] : [`You changed: ${listed(parts)}.`]),
  ].join(' ');
}

export const listChosenKeys = (choice: DialectChoice): DialectKey[] =>
  dialectKeys.filter((key) => choice[key] !== undefined);

const nameIn = (names: Record<string, string>, value: string): string => names[value] ?? value;
