import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { CallError, messageOf, serverMessageOf } from '../../../api/call.ts';
import { newId } from '../../../lib/new-id.ts';
import { type EditDraft, useDraft } from '../../../ui/draft.tsx';
import { toast } from '../../../ui/feedback/toast-state.ts';
import { decodeDataUrl, sendPhoto } from '../photos/photos.ts';
import type { Prefill } from '../scan/prefill.ts';
import {
  readConflictingProduct,
  readRefusedField,
  type ShownScanned,
  useSaveProduct,
} from '../scanner-api.ts';
import {
  applyScan,
  copyCodeToSku,
  type DraftField,
  type DraftPhoto,
  type DraftProblems,
  type FormContent,
  fillLater,
  findProblems,
  findRefusedInput,
  inputOf,
  isIncomplete,
  isSameContent,
  type StartedScan,
  toFormContent,
  undoScan,
} from './scanned-draft.ts';

export type ScannedForm = ReturnType<typeof useScannedForm>;

export type FormSaveFailure = { error: Error; isGone: boolean };

/** The saved state. `product`: null if new. `content`: the form's content when it was opened or last saved. */
type Base<Product = ShownScanned | null> = { product: Product; content: FormContent };
type FormDraft = EditDraft<Base, FormContent>;

const baseOf = (product: ShownScanned | null): Base => ({ product, content: toFormContent(product) });

/** The form of a scanned product. `onSaved` is not called after the form has closed. */
export function useScannedForm(product: ShownScanned | null, onSaved: (id: string) => void) {
  const [start] = useState(() => baseOf(product));
  const draft = useDraft<Base, FormContent>({
    read: undefined,
    start,
    empty: start.content,
    editedOf: ({ content }) => content,
    isSame: (edited, { content }) => isSameContent(edited, content),
    isSaving: false,
  });
  const { edited } = draft;
  const base = draft.base ?? start;
  const [problems, setProblems] = useState(noProblems);
  const edits = useEdits(draft, setProblems);
  const save = useSave(draft, base, setProblems, onSaved);
  return {
    /** Undefined until the product is saved. */
    id: base.product?.id,
    isNew: base.product === null,
    batches: base.product?.batches ?? [],
    draft: edited.draft,
    photos: edited.photos,
    sources: edited.sources,
    problems: problems.fields,
    photoProblems: problems.photos,
    failure: problems.failure,
    conflict: draft.conflict?.product ?? null,
    /** The latest scan that was not undone. */
    latestScan: edited.scans.at(-1) ?? null,
    ...edits,
    ...save,
  };
}

/** Problems of the last save: sentences by field and photo, or a failure of the whole save. */
type FormProblems = {
  fields: DraftProblems;
  photos: Readonly<Record<number, string>>;
  failure: FormSaveFailure | null;
};
const noProblems: FormProblems = { fields: {}, photos: {}, failure: null };
type SetProblems = (change: FormProblems | ((now: FormProblems) => FormProblems)) => void;

function useEdits({ edit }: FormDraft, setProblems: SetProblems) {
  // New photos have negative keys, because the keys of stored photos count up from 0.
  const nextKey = useRef(-1);
  const noteAddress = useFileAddresses();
  const withKey = (photo: Omit<DraftPhoto, 'key'>): DraftPhoto => ({ ...photo, key: nextKey.current-- });
  const photosAt = (addresses: readonly string[]) =>
    addresses.map((address) => withKey({ src: address, address }));
  const solve = (field: DraftField) =>
    setProblems(({ fields: { [field]: _solved, ...fields }, ...others }) => ({ ...others, fields }));
  const solveAll = () => setProblems((now) => ({ ...now, fields: {} }));
  return {
    set(field: DraftField, value: string) {
      edit(({ sources: { [field]: _found, ...sources }, draft, ...others }) => ({
        ...others,
        draft: { ...draft, [field]: value },
        sources,
      }));
      solve(field);
    },
    fill(scan: StartedScan, prefill: Prefill) {
      const photos = photosAt(prefill.photos);
      edit((now) => applyScan(now, scan, prefill, photos));
      solveAll();
    },
    fillLater(id: string, prefill: Prefill) {
      const photos = photosAt(prefill.photos);
      edit((now) => fillLater(now, id, prefill, photos));
      solveAll();
    },
    putCodeIntoSku() {
      edit(copyCodeToSku);
      solve('sku');
      focusFieldOrTitle('sku');
    },
    undoScan() {
      edit(undoScan);
      solveAll();
      focusFieldOrTitle('upc');
    },
    addPhoto(photo: Omit<DraftPhoto, 'key'>) {
      const newPhoto = withKey(photo);
      noteAddress(photo.src);
      edit((now) => ({ ...now, photos: [...now.photos, newPhoto] }));
    },
    removePhoto: (key: number) =>
      edit((now) => ({ ...now, photos: now.photos.filter((photo) => photo.key !== key) })),
  };
}

function useSave(draft: FormDraft, base: Base, setProblems: SetProblems, onSaved: (id: string) => void) {
  const { edited, conflict } = draft;
  const [isSaving, setIsSaving] = useState(false);
  const running = useRef(false);
  const [savedBase, setSavedBase] = useState<Base<ShownScanned> | null>(null);
  // The id of a new product. A failed save may have stored the product, so a repeated save has the same id.
  const [ownId, setOwnId] = useState(newId);
  const { mutateAsync } = useSaveProduct();
  const isSaved = savedBase !== null && isSameContent(edited, savedBase.content);
  // Runs after a render in which the leave guard has seen that everything is saved.
  const goOn = useEffectEvent((from: Base<ShownScanned>) => {
    // If values were changed during the save, the form stays open with them.
    if (isSaved) onSaved(from.product.id);
    else draft.rebase(from);
  });
  useEffect(() => {
    if (savedBase !== null) goOn(savedBase);
  }, [savedBase]);
  const refuse = (error: Error) => {
    const theirs = readConflictingProduct(error);
    if (theirs !== null) return draft.setConflict(baseOf(theirs));
    const problems = problemsOfRefusal(error, edited.photos);
    setProblems(problems);
    focusFirst(problems.fields);
    if (problems.failure?.isGone !== true) return;
    draft.rebase({ ...base, product: null });
    setOwnId(newId());
  };
  /** Saves the form. `onto`: the stored product to change; null to create one. */
  const send = async (onto: ShownScanned | null) => {
    const { done, failed, instead } = onto === null ? words.create : words.update;
    try {
      const photos = await withAddresses(edited.photos);
      // Photos that now have an address are not sent again by the next attempt.
      const sent = (photo: DraftPhoto) => photos.find(({ key }) => key === photo.key) ?? photo;
      draft.edit((now) => ({ ...now, photos: now.photos.map(sent) }));
      const addresses = photos.map(({ address, src }) => address ?? src);
      const input = inputOf(edited.draft, addresses);
      const target = { id: onto?.id ?? ownId, isNew: onto === null, version: onto?.version ?? null };
      const product = await mutateAsync({ ...target, input });
      toast(done);
      draft.setConflict(null);
      setSavedBase({ product, content: edited });
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      const isConflict = readConflictingProduct(error) !== null;
      // The conflict's panel already shows the cause.
      const text = isConflict ? 'Choose which values to keep.' : messageOf(error, instead);
      toast({ title: failed, text, tone: 'failure' });
      refuse(error);
    }
  };
  const save = async (onto: ShownScanned | null) => {
    if (running.current) return;
    const fields = findProblems(edited.draft);
    setProblems({ ...noProblems, fields });
    if (isIncomplete(edited.draft)) {
      toast({
        title: 'Missing Required Fields',
        text: 'Please fill in name, SKU, and price',
        tone: 'failure',
      });
    }
    if (focusFirst(fields)) return;
    // Set at once, because a second click may come before the next render.
    running.current = true;
    setIsSaving(true);
    await send(onto);
    running.current = false;
    setIsSaving(false);
  };
  return {
    isSaving,
    isDirty: draft.isDirty && !isSaved,
    save: () => void save(base.product),
    saveOver() {
      if (conflict === null) return;
      // An earlier save without an answer may have stored the product, so this save changes that product.
      draft.rebase({ ...base, product: conflict.product });
      draft.setConflict(conflict);
      void save(conflict.product);
    },
    takeTheirs() {
      if (conflict === null) return;
      draft.take(conflict);
      setProblems((now) => ({ ...now, failure: null }));
      focusFieldOrTitle('name');
    },
  };
}

const words = {
  create: {
    done: { title: 'Product Saved', text: 'Product has been saved successfully' },
    failed: 'Save Failed',
    instead: 'Failed to save product',
  },
  update: {
    done: { title: 'Product Updated', text: 'Product has been updated successfully' },
    failed: 'Update Failed',
    instead: 'Failed to update product',
  },
} as const;

function problemsOfRefusal(error: Error, photos: readonly DraftPhoto[]): FormProblems {
  const place = findRefusedInput(readRefusedField(error));
  const sentence = serverMessageOf(error) || error.message;
  if (place !== null && 'field' in place) return { ...noProblems, fields: { [place.field]: sentence } };
  const photo = place === null ? undefined : photos[place.photo];
  if (photo !== undefined) return { ...noProblems, photos: { [photo.key]: sentence } };
  const isGone = error instanceof CallError && (error.status === 404 || error.status === 410);
  return { ...noProblems, failure: { error, isGone } };
}

/** Sends photos that have no address. If a photo cannot be sent, the save contains its data URL instead. */
async function withAddresses(photos: readonly DraftPhoto[]): Promise<DraftPhoto[]> {
  const sentPhotos: DraftPhoto[] = [];
  for (const photo of photos) {
    const address = photo.address ?? (await sendPhoto(decodeDataUrl(photo.src)).catch(() => null));
    sentPhotos.push({ ...photo, address });
  }
  return sentPhotos;
}

/** Focuses the first field with a problem. Returns whether there is one. */
function focusFirst(problems: DraftProblems): boolean {
  const [first] = Object.keys(problems);
  if (first !== undefined) document.getElementById(inputId(first as DraftField))?.focus();
  return first !== undefined;
}

/** Focuses a field, or on touch screens the title, because a focused field would open the keyboard. */
export function focusFieldOrTitle(name: DraftField): void {
  const field = matchMedia('(pointer: fine)').matches ? document.getElementById(inputId(name)) : null;
  (field ?? document.querySelector('h1'))?.focus({ preventScroll: true });
}

export const inputId = (field: DraftField): string => `scanned-${field}`;

/** Returns a function that notes the object URL of a file. Noted URLs are revoked when the form closes. */
function useFileAddresses(): (src: string) => void {
  const addresses = useRef<string[]>([]);
  useEffect(() => () => addresses.current.forEach(URL.revokeObjectURL), []);
  return (src) => src.startsWith('blob:') && void addresses.current.push(src);
}
