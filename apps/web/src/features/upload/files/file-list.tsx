import { formatFileSize } from '@draftshelf/domain/base/format';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { Anchor, Progress, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconFileSpreadsheet, IconX } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { importPath, needsYouRowsPath } from '../../../lib/paths.ts';
import { Button, EllipsisName, IconButton, PlainButton } from '../../../ui/basics.tsx';
import { FoldedText } from '../../../ui/feedback/read.tsx';
import { useNow, useReportPath } from '../../../ui/hooks.ts';
import {
  ClassesBar,
  countOpenQuestions,
  type EarlierImport,
  type EarlierImports,
  type OpenedImport,
  type ShownImport,
  StatusBadge,
} from '../../import/index.ts';
import { useImportNow, useUploadRun } from '../run/upload-run.tsx';
import type { Upload } from '../run/uploads.ts';
import classes from '../upload.module.css';
import { useFileChecks } from '../use-file-checks.ts';
import {
  type ChosenFile,
  type FileReading,
  type FileRow,
  isOnlyForServer,
  type useChosenFiles,
} from './chosen-files.ts';
import {
  type ClassCounts,
  classWords,
  computeSentPercent,
  countClasses,
  describeEarlierImport,
  describeUnusable,
  findDuplicatesAbove,
  findEarlierImport,
  mappingWords,
  sendingWords,
} from './file-words.ts';

type FileListProps = {
  rows: readonly FileRow[];
  selection: ReturnType<typeof useChosenFiles>;
  earlier: EarlierImports;
  onRemove: (row: FileRow) => void;
};

/** The files, which are checked in the background. A row keeps its position while its file is checked and uploaded. */
export function FileList({ rows, selection, earlier, onRemove }: FileListProps) {
  const { files, current, reading, dispatch } = selection;
  const progress = useFileChecks(files, current?.id ?? null, selection.onChecked);
  const sameNames = findDuplicatesAbove(files);
  return (
    <ul className={`list ${classes.rows}`} aria-label="Chosen files">
      {rows.map((row) => {
        const { key, name, bytes, file, upload } = row;
        const id = upload === null ? (file?.id ?? null) : null;
        const isOpen = id !== null && id === current?.id;
        return (
          <li
            key={key}
            className={`${classes.row} grid gap-x-md center rounded relative`}
            data-row={key}
            data-selected={isOpen || undefined}
          >
            <div className={`row ${classes.file}`}>
              <IconFileSpreadsheet size={20} stroke={1.5} aria-hidden />
              <div className="stack gap-0">
                {id === null ? (
                  // biome-ignore lint/a11y/useSemanticElements: the role only gives both parts of the text one name
                  <span {...lookOf(name)} tabIndex={-1} role="group">
                    <EllipsisName name={name} />
                  </span>
                ) : (
                  <UnstyledButton
                    {...lookOf(name)}
                    className={`${lookOf(name).className} stretched`}
                    aria-expanded={isOpen}
                    aria-controls={isOpen ? fileDetailsId : undefined}
                    onClick={() => dispatch({ kind: 'select', id: isOpen ? null : id })}
                  >
                    <EllipsisName name={name} />
                  </UnstyledButton>
                )}
                <span className={`ellipsis numbers ${classes.small} small at-most-full`}>
                  {formatFileSize(bytes)}
                </span>
              </div>
            </div>
            {upload !== null && <UploadCells upload={upload} />}
            {upload === null && file !== null && (
              <ChosenCells
                file={file}
                share={isOpen ? shareOf(file.file, reading.readBytes) : (progress.get(file.id) ?? 0)}
                earlier={findEarlierImport(file, earlier)}
                sameAs={sameNames.get(file.id) ?? null}
              />
            )}
            <div className={`row ${classes.actions} gap-tight end`}>
              <RowActions row={row} onRemove={() => onRemove(row)} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the share of a file that has been read, from 0 to 1. */
const shareOf = (file: File, readBytes: number) => (file.size === 0 ? 0 : readBytes / file.size);

function RowActions({ row: { name, upload }, onRemove }: { row: FileRow; onRemove: () => void }) {
  const { uploads, retry } = useUploadRun();
  const removal = removalWords(name, upload);
  return (
    <>
      {upload?.phase === 'ended' && <NextLink upload={upload} isOnly={uploads.length === 1} />}
      {upload?.phase === 'failed' && (
        <PlainButton size="compact-md" onClick={() => retry(upload.id)}>
          Try Again
        </PlainButton>
      )}
      {removal !== null && <IconButton icon={IconX} label={removal} title={removal} onClick={onRemove} />}
    </>
  );
}

/** Returns the label of a row's remove button; null if the row cannot be removed now. */
function removalWords(name: string, upload: Upload | null): string | null {
  // Once the whole file is sent, the server may have created the import.
  if (upload?.phase === 'processing' || (upload?.phase === 'sending' && upload.sent.whole)) return null;
  if (upload === null) return `Remove ${name}`;
  if (upload.phase === 'ended') return `Remove ${name} from This List`;
  return upload.phase === 'failed' ? `Dismiss ${name}` : `Cancel Upload of ${name}`;
}

type NextLinkProps = {
  upload: Extract<Upload, { phase: 'ended' }>;
  /** Whether this is the only result. With several results, the page's header has the primary button. */
  isOnly: boolean;
};

function NextLink({ upload, isOnly }: NextLinkProps) {
  const record = useImportNow(upload);
  const reportPath = useReportPath();
  const { id } = upload.reply;
  if (id === null) return null;
  const { words, to, needsOperator } = findNextStep(id, record, reportPath);
  return (
    <Button
      component={Link}
      size="compact-md"
      variant={isOnly && needsOperator ? 'filled' : 'default'}
      to={to}
    >
      {words}
    </Button>
  );
}

/** `needsOperator`: whether the import cannot go on without the operator. */
type NextStep = { words: string; to: string; needsOperator: boolean };

/** Returns the next step for an import. `record`: null if the import is not known. */
export function findNextStep(
  id: string,
  record: OpenedImport | null,
  reportPath: (id: string) => string,
): NextStep {
  if (record === null) return { words: 'Review', to: importPath(id), needsOperator: true };
  const { status, warningProducts, errorProducts } = record;
  if (canDo('viewReport', status)) return { words: 'View Report', to: reportPath(id), needsOperator: false };
  if (!canDo('review', status)) return { words: 'Open Import', to: importPath(id), needsOperator: false };
  const lacking = warningProducts + errorProducts;
  if (lacking === 0) return { words: 'Review', to: importPath(id), needsOperator: true };
  return { words: `Review ${countOf(lacking, 'Product')}`, to: needsYouRowsPath(id), needsOperator: true };
}

type In<P extends Upload['phase']> = { upload: Extract<Upload, { phase: P }> };

function UploadCells({ upload }: { upload: Upload }) {
  switch (upload.phase) {
    case 'waiting':
      return <Sending percent={0} words="Waiting for the files before it" />;
    case 'sending': {
      const { sent, fileBytes } = upload;
      return <Sending percent={computeSentPercent(sent, fileBytes)} words={sendingWords(sent, fileBytes)} />;
    }
    case 'processing':
      return <Processing upload={upload} />;
    case 'ended':
      return <Ended upload={upload} />;
    case 'failed':
      return (
        <RowFailure>
          <span>{upload.message}</span>
          {upload.cause !== null && upload.cause !== '' && <FoldedText text={upload.cause} />}
        </RowFailure>
      );
  }
}

const Sending = ({ percent, words }: { percent: number; words: string }) => (
  <WithoutState bar={<Progress value={percent} size={6} aria-label="Uploading" />}>{words}</WithoutState>
);

const WithoutState = (products: ComponentProps<typeof Products>) => (
  <>
    <Products {...products} />
    <State />
  </>
);

function Processing({ upload: { reply } }: In<'processing'>) {
  const record = useUploadRun().imports.find(({ id }) => id === reply.id);
  const progress = record?.progress ?? 0;
  return (
    <>
      <Products bar={<Progress value={progress} size={6} aria-label="Processing" />}>
        {`Processing ${countOf(reply.totalProducts, 'product')}: ${progress}%`}
      </Products>
      <State>
        <StatusBadge status={record?.status ?? 'processing'} />
        {record?.waitingFor && <Line title={record.waitingFor}>{record.waitingFor}</Line>}
      </State>
    </>
  );
}

const Line = ({ title, children }: { title?: string; children: string }) => (
  <span className={`ellipsis ${classes.small} small at-most-full`} title={title}>
    {children}
  </span>
);

function Ended({ upload }: In<'ended'>) {
  const { reply } = upload;
  const record = useImportNow(upload);
  return (
    <>
      {record === null ? (
        <Products bar={null}>{countOf(reply.totalProducts, 'product')}</Products>
      ) : (
        <ClassProducts of={classesOfImport(record)} />
      )}
      <State>
        {record !== null && <StatusBadge status={record.status} questions={countOpenQuestions(record)} />}
        {record?.errorMessage ? (
          <Line title={record.errorMessage}>{record.errorMessage}</Line>
        ) : (
          reply.sameAs !== null && (
            <Anchor
              component={Link}
              to={importPath(reply.sameAs)}
              className={`ellipsis ${classes.small} small at-most-full`}
            >
              Uploaded before
            </Anchor>
          )
        )}
      </State>
    </>
  );
}

const classesOfImport = (record: ShownImport) => ({
  ...{ products: record.totalProducts, exact: true, valid: record.validProducts },
  ...{ warnings: record.warningProducts, errors: record.errorProducts },
});

type ChosenCellsProps = {
  file: ChosenFile;
  /** The share of the file that has been read, from 0 to 1. */
  share: number;
  earlier: EarlierImport | null;
  /** Name of a file in a row above that has the same bytes; null if there is none. */
  sameAs: string | null;
};

function ChosenCells({ file, share, earlier, sameAs }: ChosenCellsProps) {
  const { checked } = file;
  if (isOnlyForServer(file)) return <WithoutState bar={null}>No preview</WithoutState>;
  if (checked?.kind === 'failed') {
    return (
      <RowFailure>
        <div>{checked.failure.message}</div>
        <Line>{describeUnusable(checked.failure)}</Line>
      </RowFailure>
    );
  }
  const products = countClasses(file, earlier);
  if (checked === null || products === null) {
    return (
      <WithoutState bar={<Progress value={share * 100} size={6} aria-label={`Checking ${file.file.name}`} />}>
        {share > 0 ? 'Checking…' : 'Waiting to be checked'}
      </WithoutState>
    );
  }
  return (
    <>
      <ClassProducts of={products} />
      <State>
        <MappingState columns={checked.columns} />
        {sameAs === null ? (
          earlier !== null && <EarlierLine earlier={earlier} />
        ) : (
          <Line title={sameAs}>{`Same content as ${sameAs}`}</Line>
        )}
      </State>
    </>
  );
}

function MappingState({ columns }: Pick<FileReading, 'columns'>) {
  const { text, isIncomplete } = mappingWords(columns);
  return (
    <Text
      component="span"
      className={`row ${classes.line} gap-tight`}
      c={isIncomplete ? 'var(--text-bad)' : undefined}
    >
      {isIncomplete && <IconAlertTriangle size={14} aria-hidden />}
      {text}
    </Text>
  );
}

const EarlierLine = ({ earlier }: { earlier: EarlierImport }) => (
  <Line>{describeEarlierImport(earlier, useNow())}</Line>
);

/** Element id of the section that a file's row unfolds. */
export const fileDetailsId = 'unfolded-file';

const lookOf = (name: string) => ({
  className: `strong ${classes.name} pre shrink fit at-most-full flex`,
  ...{ dir: 'auto', title: name, 'aria-label': name, 'data-name': true },
});

const Products = ({ bar, children }: { bar: ReactNode; children: ReactNode }) => (
  <div className={`stack ${classes.products} gap-tight`}>
    <div className={classes.bar}>{bar}</div>
    <span className={`ellipsis numbers ${classes.words}`}>{children}</span>
  </div>
);

const ClassProducts = ({ of }: { of: Omit<ClassCounts, 'parents'> }) => (
  <Products bar={<ClassesBar of={of} />}>{classWords(of)}</Products>
);

/** The state of a file, in one or two lines. */
const State = ({ children }: { children?: ReactNode }) => (
  <div className={`stack gap-0 ${classes.state} top`}>{children}</div>
);

const RowFailure = ({ children }: { children: ReactNode }) => (
  <div className={`marked break-words bad ${classes.failure}`}>
    <IconAlertTriangle size={16} aria-hidden />
    <div>{children}</div>
  </div>
);
