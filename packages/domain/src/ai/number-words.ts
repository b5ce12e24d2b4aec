import type { Language } from './frequent-words.ts';

/** The words for 2 to 12, in order; forms of the same number are joined by '/'. */
const lists: Record<Language, string> = {
  en: 'two/twice three/thrice four five six seven eight nine ten eleven twelve/dozen',
  de: 'zwei/zweimal drei/dreimal vier funf sechs sieben acht neun zehn elf zwolf/dutzend',
  fr: 'deux trois quatre cinq six sept huit - dix onze douze',
  es: 'dos tres cuatro cinco seis siete ocho nueve diez once doce/docena',
  it: 'due tre quattro cinque - sette otto nove dieci undici dodici/dozzina',
  nl: 'twee drie vier vijf zes zeven acht negen tien elf twaalf/dozijn',
  pt: 'dois/duas tres quatro cinco seis sete oito nove dez onze doze/duzia',
  sv: 'tva tre fyra fem sex sju atta nio tio elva tolv',
  da: 'to tre fire fem seks syv otte ni ti elleve tolv',
  pl: 'dwa/dwie/dwoch trzy/trzech cztery/czterech piec szesc siedem osiem dziewiec dziesiec jedenascie dwanascie',
};
/** The same for scripts with one list each. */
const otherScripts = [
  'два/две/двух три/трех четыре/четырех пять шесть семь восемь девять десять одиннадцать двенадцать',
  'δυο τρια/τρεις τεσσερα/τεσσερις πεντε εξι επτα/εφτα οκτω/οχτω εννεα/εννια δεκα εντεκα δωδεκα',
];
/** Words that mean something else in another language. They count only in a text of their language. */
const ambiguous = new Set('to fire sex ti ni tre due sei once elf tien dos atta six dix'.split(' '));

const compound =
  /^(zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf)(?:teilig|fach|farbig|stufig|lagig|turig|sitz|flammig|beinig|armig|seitig|er$|erset)/;

const first = 2;
function numbersOf(list: string): [string, string][] {
  return list
    .split(' ')
    .flatMap((forms, at) => forms.split('/').map((form): [string, string] => [form, String(first + at)]))
    .filter(([form]) => form !== '-');
}

const others = otherScripts.flatMap(numbersOf);
const own = Object.fromEntries(
  Object.entries(lists).map(([language, list]) => [language, new Map(numbersOf(list))]),
) as Record<Language, Map<string, string>>;
/** Words that more languages share tell none of them. */
const sharedMax = 2;
const byLanguage = Object.fromEntries(
  Object.entries(lists).map(([language, list]) => [language, new Map([...numbersOf(list), ...others])]),
) as Record<Language, Map<string, string>>;
const unambiguous = new Map(
  [...Object.values(lists).flatMap(numbersOf), ...others].filter(([form]) => !ambiguous.has(form)),
);

/** The number that a folded word means in a language; null: none. Without a language, ambiguous words mean none. */
export function numberNamed(word: string, language: Language | null): string | null {
  const words = language === null ? unambiguous : byLanguage[language];
  const number = words.get(word);
  if (number !== undefined) return number;
  const prefix = language === 'de' || language === null ? compound.exec(word)?.[1] : undefined;
  return prefix === undefined ? null : (byLanguage.de.get(prefix) ?? null);
}

/** The languages in which a word is a number, if they are few. */
export function languagesOfNumber(word: string): Language[] {
  if (ambiguous.has(word)) return [];
  const found = (Object.keys(lists) as Language[]).filter((language) => own[language].has(word));
  return found.length <= sharedMax ? found : [];
}

const digits: Record<string, string> = {
  两: '2',
  兩: '2',
  二: '2',
  三: '3',
  四: '4',
  五: '5',
  六: '6',
  七: '7',
  八: '8',
  九: '9',
  十: '10',
  双: '2',
  雙: '2',
};
const counted =
  /([两兩二三四五六七八九十双雙])(?:[个個件只支张張片套层層种種色瓶包袋盒本枚つ段格人耳]|リットル)/gu;

/** Numbers with a counter in Chinese and Japanese: '三层' is 3. */
export const hanNumbers = (text: string): string[] =>
  [...text.matchAll(counted)].map(([, digit]) => digits[digit ?? ''] ?? '');
