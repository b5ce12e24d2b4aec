import { Progress, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useNow } from '../../ui/hooks/use-now.ts';
import type { EarlierImport } from '../import/index.ts';
import type { ChosenFile, ReadFile } from './chosen-files.ts';
import { classesOf, earlierWords, mappingWords, unfitWords } from './file-words.ts';
import classes from './files.module.css';
import { ClassProducts, Products, RowFailure, State } from './row-parts.tsx';

type ChosenCellsProps = {
  chosen: ChosenFile;
  /** The share of the file that has been read, 0 to 1. */
  share: number;
  earlier: EarlierImport | null;
  /** The file above it with the same bytes. */
  sameAs: string | null;
};

/** Products and state of a file that is not uploaded yet: its check, or what the check has found. */
export function ChosenCells({ chosen, share, earlier, sameAs }: ChosenCellsProps) {
  const { checked } = chosen;
  if (checked?.kind === 'failed') {
    return (
      <RowFailure>
        <IconAlertTriangle size={16} aria-hidden />
        <div>
          <div>{checked.failure.message}</div>
          <span className={classes.small}>{unfitWords(checked.failure)}</span>
        </div>
      </RowFailure>
    );
  }
  const found = classesOf(chosen, earlier);
  if (checked === null || found === null) {
    return (
      <>
        <Products bar={<Progress value={share * 100} size={6} aria-label={`Checking ${chosen.file.name}`} />}>
          {share > 0 ? 'Checking…' : 'Waiting to be checked'}
        </Products>
        <State />
      </>
    );
  }
  return (
    <>
      <ClassProducts of={found} />
      <State>
        <MappingState columns={checked.columns} />
        {sameAs === null ? (
          earlier !== null && <EarlierLine earlier={earlier} />
        ) : (
          <span className={classes.small} title={sameAs}>
            Same content as {sameAs}
          </span>
        )}
      </State>
    </>
  );
}

function MappingState({ columns }: Pick<ReadFile, 'columns'>) {
  const { text, isIncomplete } = mappingWords(columns);
  return (
    <Text component="span" className={classes.line} c={isIncomplete ? 'var(--text-bad)' : undefined}>
      {isIncomplete && <IconAlertTriangle size={14} aria-hidden />}
      {text}
    </Text>
  );
}

function EarlierLine({ earlier }: { earlier: EarlierImport }) {
  const nowMs = useNow();
  return <span className={classes.small}>{earlierWords(earlier, nowMs)}</span>;
}
