import { fileSize } from '@draftshelf/domain/base/format';
import { Anchor, Progress, Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconFileSpreadsheet } from '@tabler/icons-react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { countOf } from '../../../lib/intl.ts';
import { importPath } from '../../../lib/paths.ts';
import { CutName } from '../../../ui/cut-name.tsx';
import { FoldOut } from '../../../ui/feedback/error-panel.tsx';
import { useNow } from '../../../ui/hooks.ts';
import {
  ClassesBar,
  type EarlierImport,
  openQuestions,
  type ShownImport,
  StatusBadge,
} from '../../import/index.ts';
import { useImportNow, useUploadRun } from '../run/upload-run.tsx';
import type { Upload } from '../run/uploads.ts';
import classes from '../upload.module.css';
import { type ChosenFile, type FileRow, isUnseen, type ReadFile } from './chosen-files.ts';
import {
  type Classes,
  classesOf,
  classWords,
  earlierWords,
  mappingWords,
  sendingWords,
  sentPercent,
  unfitWords,
} from './file-words.ts';

type In<P extends Upload['phase']> = { upload: Extract<Upload, { phase: P }> };

export function UploadCells({ upload }: { upload: Upload }) {
  switch (upload.phase) {
    case 'waiting':
      return <Sending percent={0} words="Waiting for the files before it" />;
    case 'sending': {
      const { sent, fileBytes } = upload;
      return <Sending percent={sentPercent(sent, fileBytes)} words={sendingWords(sent, fileBytes)} />;
    }
    case 'processing':
      return <Processing upload={upload} />;
    case 'ended':
      return <Ended upload={upload} />;
    case 'failed':
      return <Failed upload={upload} />;
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
        {record !== null && <StatusBadge status={record.status} questions={openQuestions(record)} />}
        {record?.errorMessage ? (
          <Line title={record.errorMessage}>{record.errorMessage}</Line>
        ) : (
          <SameAs id={reply.sameAs} />
        )}
      </State>
    </>
  );
}

const classesOfImport = (record: ShownImport) => ({
  ...{ products: record.totalProducts, exact: true, valid: record.validProducts },
  ...{ warnings: record.warningProducts, errors: record.errorProducts },
});

const SameAs = ({ id }: { id: string | null }) =>
  id === null ? null : (
    <Anchor component={Link} to={importPath(id)} className={`ellipsis ${classes.small} small at-most-full`}>
      Uploaded before
    </Anchor>
  );

const Failed = ({ upload: { message, cause } }: In<'failed'>) => (
  <RowFailure>
    <IconAlertTriangle size={16} aria-hidden />
    <div>
      <span>{message}</span>
      {cause !== null && cause !== '' && <FoldOut text={cause} />}
    </div>
  </RowFailure>
);

type ChosenCellsProps = {
  file: ChosenFile;
  /** 0 to 1. */
  share: number;
  earlier: EarlierImport | null;
  /** The file above with the same bytes. */
  sameAs: string | null;
};

export function ChosenCells({ file, share, earlier, sameAs }: ChosenCellsProps) {
  const { checked } = file;
  if (isUnseen(file)) return <WithoutState bar={null}>No preview</WithoutState>;
  if (checked?.kind === 'failed') {
    return (
      <RowFailure>
        <IconAlertTriangle size={16} aria-hidden />
        <div>
          <div>{checked.failure.message}</div>
          <Line>{unfitWords(checked.failure)}</Line>
        </div>
      </RowFailure>
    );
  }
  const products = classesOf(file, earlier);
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

function MappingState({ columns }: Pick<ReadFile, 'columns'>) {
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
  <Line>{earlierWords(earlier, useNow())}</Line>
);

/** The id of the unfolded part of the screen. */
export const unfoldedId = 'unfolded-file';

type RowFrameProps = {
  row: FileRow;
  /** Null: there is no preview. */
  toggle: { isOpen: boolean; onToggle: () => void } | null;
  children: ReactNode;
  actions: ReactNode;
};

export function RowFrame({ row: { key, name, bytes }, toggle, children, actions }: RowFrameProps) {
  const words = <CutName name={name} />;
  const look = {
    className: `strong ${classes.name} pre shrink fit at-most-full flex`,
    ...{ dir: 'auto', title: name, 'aria-label': name, 'data-name': true },
  };
  return (
    <li
      className={`${classes.row} grid gap-x-md center rounded relative`}
      data-row={key}
      data-selected={toggle?.isOpen || undefined}
    >
      <div className={`row ${classes.file}`}>
        <IconFileSpreadsheet size={20} stroke={1.5} aria-hidden />
        <div className="stack gap-0">
          {toggle === null ? (
            // biome-ignore lint/a11y/useSemanticElements: the group is only the name of both parts of the text
            <span {...look} tabIndex={-1} role="group">
              {words}
            </span>
          ) : (
            <UnstyledButton
              {...look}
              className={`${look.className} stretched`}
              aria-expanded={toggle.isOpen}
              aria-controls={toggle.isOpen ? unfoldedId : undefined}
              onClick={toggle.onToggle}
            >
              {words}
            </UnstyledButton>
          )}
          <span className={`ellipsis numbers ${classes.small} small at-most-full`}>{fileSize(bytes)}</span>
        </div>
      </div>
      {children}
      <div className={`row ${classes.actions} gap-tight end`}>{actions}</div>
    </li>
  );
}

export const Products = ({ bar, children }: { bar: ReactNode; children: ReactNode }) => (
  <div className={`stack ${classes.products} gap-tight`}>
    <div className={classes.bar}>{bar}</div>
    <span className={`ellipsis numbers ${classes.words}`}>{children}</span>
  </div>
);

export const ClassProducts = ({ of }: { of: Omit<Classes, 'parents'> }) => (
  <Products bar={<ClassesBar of={of} />}>{classWords(of)}</Products>
);

/** One line, or two. */
export const State = ({ children }: { children?: ReactNode }) => (
  <div className={`stack gap-0 ${classes.state} top`}>{children}</div>
);

export const RowFailure = ({ children }: { children: ReactNode }) => (
  <div className={`marked break-words bad ${classes.failure}`}>{children}</div>
);
