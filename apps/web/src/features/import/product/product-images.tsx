import { picturesOf } from '@draftshelf/domain/products/images';
import { Group, TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { BodyText, PlainButton, QuietText, SmallButton, SmallText, TextButton } from '../../../ui/basics.tsx';
import { Picture } from '../../../ui/picture.tsx';
import { AddPhotos } from '../../scanner/index.ts';
import { alreadyListedReason } from './picture-order.ts';
import { findPictureName, PictureStrip } from './picture-strip.tsx';
import classes from './product.module.css';
import type { ProductForm } from './use-product-form.ts';

type ProductImagesProps = {
  form: ProductForm;
  isLarge?: boolean;
  children: ReactNode;
};

export function ProductImages({ form, isLarge = false, children }: ProductImagesProps) {
  const srcs = form.pictures;
  const invalid = [form.textOf('image'), form.textOf('moreImages')].filter(
    (text) => text.trim() !== '' && picturesOf({ image: text }).length === 0,
  );
  const [isOpen, setOpen] = useState(!isLarge && invalid.length > 0);
  const around = useRef<HTMLDivElement>(null);
  const { steps } = form;
  const { product, row } = form;
  const others = [product.first, ...product.rows].filter(
    (other) => other.row !== row.row && picturesOf(other.values).length > 0,
  );
  const ofOthers = [
    ...new Set(others.flatMap(({ values }) => picturesOf(values).map(({ src }) => src))),
  ].filter((src) => !srcs.includes(src));
  return (
    <div ref={around} className="stack" tabIndex={-1} data-pictures>
      {invalid.map((text) => (
        <BodyText key={text} c="var(--text-warning)" lineClamp={4} className="break-words">
          Invalid: “{text.trim()}” isn’t a web address that begins with http:// or https://.
        </BodyText>
      ))}
      {srcs.length > 0 && (
        <PictureStrip
          srcs={srcs}
          hasMain={others.every((other) => other.row > row.row)}
          known={form.known}
          isLarge={isLarge}
          isLocked={form.lock !== null}
          onChange={(next, words) => {
            if (next.length === 0) around.current?.focus();
            form.setPictures(next, words);
          }}
        />
      )}
      <div role="status" className="visually-hidden">
        {/* The key renders a new element, because screen readers do not repeat equal text in the same element. */}
        <span key={steps.undo}>{form.said}</span>
      </div>
      {srcs.length === 0 && invalid.length === 0 && <QuietText>No Image</QuietText>}
      {ofOthers.length > 0 && (
        <>
          <SmallText>
            Other rows of this product have pictures, too. A push sends all of them, in the order of the rows.
          </SmallText>
          <div className={`row-wrap ${classes.others}`}>
            {ofOthers.map((src) => (
              <Picture
                key={src}
                src={src}
                alt={findPictureName(form.known, src)}
                isChecked={form.known[src]?.state === 'ok'}
                fallback={<span className="quiet">{findPictureName(form.known, src)}</span>}
              />
            ))}
          </div>
        </>
      )}
      <AddPhotos
        isLocked={form.lock !== null}
        sending={form.sending}
        onSending={form.changeSending}
        onSent={form.addPhoto}
        refusalOf={form.photoRefusal}
        failures={form.photoFailures}
        setFailures={form.setPhotoFailures}
      />
      <AddAddress form={form} />
      <div className="row-wrap">
        <SmallButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide Addresses' : 'Show Addresses'}
        </SmallButton>
        {steps.undo + steps.redo > 0 &&
          (['undo', 'redo'] as const).map((direction) => (
            <TextButton
              key={direction}
              aria-label={`${stepWords[direction]} change to pictures`}
              disabled={steps[direction] === 0 || form.lock !== null}
              onClick={() => {
                // Moves the focus before the last step, because the button is disabled after that step.
                if (steps[direction] === 1) around.current?.focus({ preventScroll: true });
                form.stepPictures(direction);
              }}
            >
              {stepWords[direction]}
            </TextButton>
          ))}
      </div>
      {isOpen && children}
    </div>
  );
}

const stepWords = { undo: 'Undo', redo: 'Redo' } as const;

function AddAddress({ form }: { form: ProductForm }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const add = () => {
    const found = picturesOf({ image: text }).map(({ src }) => src);
    const added = found.filter((src) => !form.pictures.includes(src));
    if (added.length > 0) {
      form.addPictures(added);
      setText('');
    } else if (found.length > 0) setProblem(alreadyListedReason);
    else setProblem('Type a web address that begins with http:// or https://.');
  };
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <TextInput
        className="grow"
        size="xs"
        data-add
        aria-label="Web address of an image"
        placeholder="https://"
        inputMode="url"
        value={text}
        error={problem}
        disabled={form.lock !== null}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(null);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          add();
        }}
      />
      <PlainButton size="xs" disabled={form.lock !== null || text.trim() === ''} onClick={add}>
        Add Address
      </PlainButton>
    </Group>
  );
}
