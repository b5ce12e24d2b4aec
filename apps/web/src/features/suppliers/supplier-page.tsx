import type { SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import {
  type Guards,
  guardChangeMax,
  guardColumnCharsMax,
  guardCostMax,
} from '@draftshelf/domain/products/guards';
import {
  type SupplierAnswers as Answers,
  goneActions,
  goneAfterMax,
} from '@draftshelf/domain/suppliers/gone';
import { supplierNameCharsMax } from '@draftshelf/domain/suppliers/list';
import {
  Group,
  Modal,
  NumberInput,
  type NumberInputProps,
  Select,
  Skeleton,
  Stack,
  TextInput,
} from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { pollMs } from '../../api/call.ts';
import { createLoader } from '../../api/query-client.ts';
import { countOf } from '../../lib/intl.ts';
import { suppliersPath } from '../../lib/paths.ts';
import {
  BodyText,
  QuietText,
  RelativeTime,
  SmallButton,
  SubtleButton,
  TextButton,
} from '../../ui/basics.tsx';
import { ReadView } from '../../ui/feedback/read.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { TitledSection } from '../../ui/hint.tsx';
import { DialogButtons } from '../../ui/overlays.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { goneActionLabels, ReadinessFields, readinessRead } from '../import/index.ts';
import { SupplierFeed } from './supplier-feed.tsx';
import { SupplierLists } from './supplier-lists.tsx';
import { SupplierDeletion, SupplierMerge, SupplierRecipes, SupplierValues } from './supplier-sections.tsx';
import classes from './suppliers.module.css';
import { describeRecognition, findComparedListNumber, supplierRead, useFeed } from './suppliers-api.ts';

export function Component() {
  const { supplierId = '' } = useParams();
  const hasFeed = useFeed(supplierId).data?.feed != null;
  const reading = useQuery({
    ...supplierRead(supplierId),
    refetchInterval: ({ state }) => (hasFeed || state.data?.busy != null) && pollMs.suppliers,
  });
  const supplier = reading.data;
  const [isRenaming, setRenaming] = useState(false);
  return (
    <Stack gap="xl">
      <title>{`${supplier?.name ?? 'Supplier'} · Draftshelf`}</title>
      <PageHeader
        title={supplier?.name ?? 'Supplier'}
        above={
          <div>
            <SubtleButton
              component={Link}
              to={suppliersPath}
              color="gray"
              size="compact-md"
              icon={IconArrowLeft}
            >
              Suppliers
            </SubtleButton>
          </div>
        }
        subtitle={
          <Group gap="xs">
            {supplier && supplier.products !== null && (
              <span className="quiet numbers">{countOf(supplier.products, 'product')}</span>
            )}
            {supplier && (
              <TextButton color="gray" aria-haspopup="dialog" onClick={() => setRenaming(true)}>
                Rename
              </TextButton>
            )}
          </Group>
        }
      />
      <ReadView of={reading} what="the supplier" meanwhile={<Skeleton height={320} aria-hidden />}>
        {(details) => (
          <>
            <SupplierLists supplier={details} />
            <div className="stack gap-xl break-words form-width">
              <SupplierFeed supplier={details} />
              <SupplierReadiness supplier={details} />
              <SupplierAnswers supplier={details} />
              <SupplierGuards supplier={details} />
              <SupplierSettled supplier={details} />
              <SupplierRecipes supplier={details} />
              <SupplierValues supplier={details} />
              <SupplierSigns supplier={details} />
              <SupplierMerge supplier={details} />
              <SupplierDeletion supplier={details} />
            </div>
            <Modal opened={isRenaming} onClose={() => setRenaming(false)} title={`Rename ${details.name}`}>
              <RenameForm supplier={details} onClose={() => setRenaming(false)} />
            </Modal>
          </>
        )}
      </ReadView>
    </Stack>
  );
}

Component.loader = createLoader(({ params: { supplierId = '' } }) => [supplierRead(supplierId)]);

/** The fields that are filled in the latest list, or in the newest one with rows, with links to the rows. */
function SupplierReadiness({ supplier: { lists } }: { supplier: SupplierDetails }) {
  const latest = findComparedListNumber(lists);
  const present = lists.filter(({ importId }) => importId !== null);
  const list = present.find(({ number }) => number === latest) ?? present[0];
  const importId = list?.importId ?? '';
  const reading = useQuery({ ...readinessRead(importId), enabled: importId !== '' });
  if (!list) return null;
  return (
    <TitledSection id="readiness" title="Readiness" gap="xs">
      <QuietText>{`How many products of ${list.filename} have each field.`}</QuietText>
      <ReadView of={reading} what="the readiness" meanwhile={<Skeleton height={360} aria-hidden />}>
        {(readiness) => <ReadinessFields importId={importId} readiness={readiness} />}
      </ReadView>
    </TitledSection>
  );
}

function RenameForm({ supplier: { id, name }, onClose }: { supplier: SupplierDetails; onClose: () => void }) {
  const [typed, setTyped] = useState(name);
  const renaming = useCall('renameSupplier', { params: { id } });
  const next = typed.trim();
  const unchanged = next === name ? 'Change the name first.' : null;
  const reason = next === '' ? 'Enter a name first.' : unchanged;
  const save = () =>
    reason === null && renaming.mutate({ body: { name: next, from: name } }, { onSuccess: onClose });
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextInput
        label="Name"
        description="All lists of this supplier show this name."
        value={typed}
        maxLength={supplierNameCharsMax}
        dir="auto"
        data-autofocus
        error={renaming.error?.message}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <DialogButtons reason={reason} loading={renaming.isPending} onClick={save} onCancel={onClose}>
        Rename Supplier
      </DialogButtons>
    </form>
  );
}

const stockWords = {
  'use-ours': 'If stock was sold or changed in the store, the file’s quantities are sent.',
  skip: 'If stock was sold or changed in the store, the store’s quantities stay.',
};

/** The operator's saved answers, which apply to all lists of the supplier. */
function SupplierSettled({ supplier }: { supplier: SupplierDetails }) {
  const { id, stockChoice, currencies } = supplier;
  const ending = useCall('forgetSettled', { params: { id }, failed: 'Couldn’t end the answer' });
  const settled = [
    ...(stockChoice === null
      ? []
      : [{ words: stockWords[stockChoice], body: { stockChoice: true as const } }]),
    ...currencies.map((currency) => {
      const [from, to] = currency.split(' as ');
      return { words: `Amounts in ${from} are sent as ${to}, without conversion.`, body: { currency } };
    }),
  ];
  return (
    <TitledSection id="settled" title="Answered for all its lists" gap="xs">
      {settled.length === 0 && <BodyText>Nothing yet. Answers that apply to all lists appear here.</BodyText>}
      <ul className="list" aria-label="Answered for all its lists" data-focus-next="#settled">
        {settled.map(({ words, body }) => (
          <li key={words} className={`row ${classes.line} pad-y-tight line-below`}>
            <BodyText className="grow break-words">{words}</BodyText>
            <SmallButton aria-label={`Ask again: ${words}`} onClick={() => ending.mutate({ body })}>
              Ask Again
            </SmallButton>
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}

function SupplierSigns({ supplier: { id, name, signs } }: { supplier: SupplierDetails }) {
  const forgetting = useCall('forgetSign', { params: { id }, failed: 'Couldn’t forget it' });
  return (
    <TitledSection id="signs" title="How its lists are recognized" gap="xs" folded>
      <QuietText>
        A file with products of {name} is recognized as its list. These signs help in doubtful cases.
      </QuietText>
      {signs.length === 0 && <BodyText>No other signs are known yet.</BodyText>}
      <ul className="list" aria-label="How its lists are recognized" data-focus-next="#signs">
        {signs.map((sign) => {
          const { kind, value, lists, lastAt } = sign;
          const words = describeRecognition(sign);
          return (
            <li key={`${kind} ${value}`} className={`row ${classes.line} pad-y-tight line-below`}>
              <div className="grow">
                <BodyText className="break-words">{words}</BodyText>
                <QuietText className="numbers">
                  {countOf(lists, 'list')}, the last one <RelativeTime time={lastAt} />
                </QuietText>
              </div>
              <SmallButton
                aria-label={`Forget: ${words}`}
                onClick={() => forgetting.mutate({ body: { kind, value } })}
              >
                Forget
              </SmallButton>
            </li>
          );
        })}
      </ul>
    </TitledSection>
  );
}

/** The server refuses an answer if somebody else has changed that answer meanwhile. */
function useAnswer({ id, answers }: SupplierDetails, failed: string) {
  const { mutate } = useCall('answerSupplier', { params: { id }, failed });
  return <Name extends keyof Answers>(of: Name, value: Answers[Name]) =>
    mutate({ body: { set: { [of]: value }, from: { [of]: answers[of] } } });
}

function SupplierAnswers({ supplier }: { supplier: SupplierDetails }) {
  const { name, answers } = supplier;
  const { sendsComplete, goneAfter, whenGone } = answers;
  const say = useAnswer(supplier, 'Couldn’t save the answer');
  return (
    <TitledSection id="no-longer-listed" title="No longer listed" gap="xs">
      <Select
        label={<span className="break-words">{`Does ${name} send the complete list each time?`}</span>}
        description="Unless you say yes, missing products are ignored."
        placeholder="Not answered"
        data={[
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No, parts of it' },
        ]}
        value={sendsComplete === null ? null : sendsComplete ? 'yes' : 'no'}
        onChange={(value) => value !== null && say('sendsComplete', value === 'yes')}
      />
      <Select
        label="A product is no longer listed after"
        data={Array.from({ length: goneAfterMax }, (_, at) => ({
          value: `${at + 1}`,
          label: at === 0 ? '1 list without it' : `${at + 1} lists in a row without it`,
        }))}
        value={`${goneAfter}`}
        onChange={(value) => value !== null && say('goneAfter', Number(value))}
      />
      <Select
        label="What full auto does with them"
        description="Changes at most 50 products of a list. You can undo the changes like a push."
        data={[
          { value: 'nothing' as const, label: 'Do nothing' },
          ...goneActions.map((value) => ({ value, label: goneActionLabels[value] })),
        ]}
        value={whenGone}
        onChange={(value) => say('whenGone', value ?? 'nothing')}
      />
      <QuietText>
        Products that another supplier still sells, or that were changed or sold in the store, stay as they
        are.
      </QuietText>
    </TitledSection>
  );
}

/** Limits for prices. Full auto stops at a list that exceeds them. The limits change no price. */
function SupplierGuards({ supplier }: { supplier: SupplierDetails }) {
  const { answers, signs } = supplier;
  const answer = useAnswer(supplier, 'Couldn’t save the guard');
  const say = <Name extends keyof Guards>(of: Name, value: Answers[Name]) =>
    value !== answers[of] && answer(of, value);
  const columns = [...signs.flatMap((sign) => sign.columns ?? []), answers.guardColumn ?? '']
    .map((column) => column.trim())
    .filter((column) => column !== '' && column.length <= guardColumnCharsMax);
  /** The input is saved when it loses the focus, or on Enter. */
  const limit = (of: 'guardCost' | 'guardChange', max: number, input: NumberInputProps) => (
    <NumberInput
      key={`${of} ${answers[of]}`}
      {...input}
      {...{ min: 0, allowNegative: false, hideControls: true, placeholder: 'No guard' }}
      defaultValue={answers[of] ?? ''}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
      onBlur={({ currentTarget: { value } }) => {
        const amount = Number.parseFloat(value);
        say(of, amount > 0 ? Math.min(amount, max) : null);
      }}
    />
  );
  const hasGuard = answers.guardCost ?? answers.guardColumn ?? answers.guardChange;
  return (
    <TitledSection id="guards" title="Guards" gap="xs" folded={hasGuard === null}>
      <QuietText>
        Prices beyond a guard are counted before a push, and full auto leaves the list to you. No price is
        changed.
      </QuietText>
      {limit('guardCost', guardCostMax, {
        label: 'Price at least the cost ×',
        description: 'Rows without a cost aren’t compared.',
        decimalScale: 2,
      })}
      <Select
        label="Never below the column"
        placeholder="No guard"
        data={[...new Set(columns)]}
        value={answers.guardColumn}
        onChange={(value) => say('guardColumn', value)}
        searchable
        clearable
      />
      {limit('guardChange', guardChangeMax, {
        label: 'Price changed by at most',
        description: 'Compares each list with the one before, without your own changes.',
        suffix: ' %',
        allowDecimal: false,
      })}
    </TitledSection>
  );
}
