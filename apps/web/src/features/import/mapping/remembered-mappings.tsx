import type { RememberedMapping } from '@draftshelf/contract/reading/mapping';
import { Group, Skeleton, Stack } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Reply } from '../../../api/call.ts';
import { countOf } from '../../../lib/intl.ts';
import { BodyText, PlainButton, QuietText, RelativeTime, TextButton } from '../../../ui/basics.tsx';
import { ReadView } from '../../../ui/feedback/read.tsx';
import { toast } from '../../../ui/feedback/toast-state.ts';
import { TitledSection } from '../../../ui/hint.tsx';
import { mappingsRead, useForgetMapping, useRecalledMapping } from './mapping-api.ts';
import { setWords } from './mapping-words.ts';

export function RememberedMappings() {
  const mappings = useQuery(mappingsRead());
  return (
    <TitledSection id="remembered-mappings" title="Remembered mappings" gap="xs" maw="var(--form-width-max)">
      <QuietText>
        When you change how a file’s columns are mapped, the next file with the same columns is mapped that
        way.
      </QuietText>
      <ReadView of={mappings} what="the remembered mappings" meanwhile={<Skeleton height={64} />}>
        {(remembered) => (
          <>
            {remembered.length === 0 && <BodyText>Nothing is remembered yet.</BodyText>}
            <ul className="list" data-focus-next="#remembered-mappings">
              {remembered.map((mapping) => (
                <Remembered key={mapping.fingerprint} mapping={mapping} />
              ))}
            </ul>
          </>
        )}
      </ReadView>
    </TitledSection>
  );
}

function Remembered({ mapping }: { mapping: RememberedMapping }) {
  const { fingerprint, filename, columns, headers, usedAt, uses } = mapping;
  const forget = useForgetMapping();
  const start = () => forget.mutate({ params: { fingerprint } });
  return (
    <li className="row top gap-md between pad-y-xs line-below">
      <Stack gap={0} flex={1} miw={0}>
        <BodyText fw={550} className="break-words">
          {filename}
        </BodyText>
        <BodyText className="break-words">{setWords(columns)}</BodyText>
        <QuietText className="numbers">
          {`${countOf(headers, 'column')} · `}
          {usedAt === null ? (
            'not used yet'
          ) : (
            <>
              {`used ${countOf(uses, 'time')}, last `}
              <RelativeTime time={usedAt} />
            </>
          )}
        </QuietText>
      </Stack>
      <Group>
        <PlainButton
          size="compact-md"
          aria-label={`Forget the mapping of ${filename}`}
          loading={forget.isPending}
          onClick={start}
        >
          Forget
        </PlainButton>
      </Group>
    </li>
  );
}

type RememberedNoteProps = {
  filename: string;
  /** Identifies the remembered mapping. Null if the mapping has been forgotten or replaced since. */
  fingerprint: string | null;
  /** Called after the mapping was forgotten, unless the note is in a dialog. Moves the focus off the removed button. */
  onForgotten?: () => void;
};

export function RememberedNote({ filename, fingerprint, onForgotten }: RememberedNoteProps) {
  const forget = useForgetMapping();
  const start = (button: HTMLButtonElement) => {
    if (fingerprint === null) return;
    const dialog = button.closest<HTMLElement>('[role="dialog"]');
    const onSuccess = () => {
      toast({ title: 'Mapping forgotten', text: 'The next file is matched automatically.' });
      if (dialog) dialog.focus();
      else onForgotten?.();
    };
    forget.mutate({ params: { fingerprint } }, { onSuccess });
  };
  return (
    <Group gap="xs" className="break-words">
      <BodyText role="status">
        <IconHistory size={14} aria-hidden style={{ verticalAlign: -2 }} /> Remembered from {filename}
      </BodyText>
      {fingerprint !== null && (
        <TextButton loading={forget.isPending} onClick={(event) => start(event.currentTarget)}>
          Forget
        </TextButton>
      )}
    </Group>
  );
}

export function RememberedColumnsNote({ columns }: { columns: Reply<'getMapping'>['columns'] | undefined }) {
  const from = columns?.find(({ setBy }) => setBy === 'memory')?.rememberedFrom ?? null;
  const headers = from === null ? null : (columns ?? []).map(({ header }) => header);
  const recalled = useRecalledMapping(headers).data?.mapping;
  if (from === null) return null;
  const fingerprint = recalled?.filename === from ? recalled.fingerprint : null;
  return <RememberedNote filename={from} fingerprint={fingerprint} />;
}
