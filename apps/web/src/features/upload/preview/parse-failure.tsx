import { fileSize } from '@draftshelf/domain/base/format';
import { isContainerName } from '@draftshelf/domain/reading/list-files';
import { Collapse, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Button, SubtleButton } from '../../../ui/button.tsx';
import { QuietText } from '../../../ui/text.tsx';
import { DialectLine, type DialectLineProps } from './dialect-line.tsx';
import type { ReadingFailure } from './preview-state.ts';

type ParseFailureProps = {
  file: File;
  failure: ReadingFailure;
  dialect: DialectLineProps;
  /** Replaces the screen. Otherwise it stands below the rows of several files. */
  isWhole: boolean;
  onOther: () => void;
};

export function ParseFailure({ file, failure, dialect, isWhole, onOther }: ParseFailureProps) {
  const [open, setOpen] = useState(dialect.focused !== null);
  const heading = isContainerName(file.name) ? 'This File Can’t Be Read' : 'CSV Parse Error';
  return (
    <Stack align="center" gap="md" py="xl">
      {isWhole && <title>{`${heading} · Draftshelf`}</title>}
      <Stack align="center" gap="md" role="alert">
        <IconAlertTriangle size={40} stroke={1.5} color="var(--text-bad)" aria-hidden />
        <Title order={isWhole ? 1 : 2}>{heading}</Title>
        <Text fw={550} className="break-words">
          {file.name}{' '}
          <QuietText component="span" className="numbers">
            {fileSize(file.size)}
          </QuietText>
        </Text>
        <Text ta="center" maw={560} style={{ overflowWrap: 'anywhere' }}>
          {failure.message}
        </Text>
        {failure.detail !== undefined && <Text ta="center">{failure.detail}</Text>}
      </Stack>
      <Button variant={isWhole ? 'filled' : 'default'} onClick={onOther}>
        Select Different File
      </Button>
      {!failure.isBeyondDialects && (
        <Stack gap="xs" w="100%" maw="var(--form-width-max)" mt="md">
          <SubtleButton aria-expanded={open} onClick={() => setOpen(!open)}>
            Read It Differently
          </SubtleButton>
          <Collapse expanded={open}>{open && <DialectLine {...dialect} folds={false} />}</Collapse>
        </Stack>
      )}
    </Stack>
  );
}
