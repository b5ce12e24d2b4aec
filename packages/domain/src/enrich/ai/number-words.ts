import type { Language } from './frequent-words.ts';

/** The numbers that have own words: 2 to 20, the tens, 100 and 1000. */
const values = [...Array.from({ length: 19 }, (_, at) => at + 2), ...[30, 40, 50, 60, 70, 80, 90, 100, 1000]];

/** The folded words for `values`, in order; forms of the same number are joined by '/', '-' is none. */
const lists: Record<Language, string> = {
  en: `two/twice three/thrice four five six seven eight nine ten eleven twelve/dozen/dozens thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred/hundreds
    thousand/thousands`,
  de: `zwei/zweimal drei/dreimal vier funf sechs sieben acht neun zehn elf zwolf/dutzend dreizehn vierzehn funfzehn
    sechzehn siebzehn achtzehn neunzehn zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig hundert
    tausend/tausende`,
  fr: `deux trois quatre cinq six sept huit - dix onze douze/douzaine treize quatorze quinze/quinzaine seize - - -
    vingt/vingtaine trente quarante cinquante soixante - - - cent/centaine mille`,
  es: `dos tres cuatro cinco seis siete ocho nueve diez once doce/docena trece catorce quince dieciseis diecisiete
    dieciocho diecinueve veinte/veintena treinta cuarenta cincuenta sesenta setenta ochenta noventa cien/ciento mil`,
  it: `due tre quattro cinque - sette otto nove dieci undici dodici/dozzina tredici quattordici quindici sedici
    diciassette diciotto diciannove venti/ventina trenta quaranta cinquanta sessanta settanta ottanta novanta cento mille`,
  nl: `twee drie vier vijf zes zeven acht negen tien elf twaalf/dozijn dertien veertien vijftien zestien zeventien
    achttien negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend`,
  pt: `dois/duas tres quatro cinco seis sete oito nove dez onze doze/duzia treze catorze/quatorze quinze
    dezesseis/dezasseis dezessete/dezassete dezoito dezenove/dezanove vinte trinta quarenta cinquenta sessenta setenta
    oitenta noventa cem/cento mil`,
  sv: `tva tre fyra fem sex sju atta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton tjugo trettio
    fyrtio femtio sextio sjuttio attio nittio hundra tusen`,
  da: `to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten tyve tredive
    fyrre halvtreds tres halvfjerds firs halvfems hundrede tusind`,
  pl: `dwa/dwie/dwoch/dwoma trzy/trzech/trzema cztery/czterech/czterema piec/pieciu/piecioma szesc/szesciu/szescioma
    siedem/siedmiu/siedmioma osiem/osmiu/osmioma dziewiec/dziewieciu/dziewiecioma dziesiec/dziesieciu/dziesiecioma
    jedenascie/jedenastu dwanascie/dwunastu/dwunastoma trzynascie/trzynastu czternascie/czternastu pietnascie/pietnastu
    szesnascie/szesnastu siedemnascie/siedemnastu osiemnascie/osiemnastu dziewietnascie/dziewietnastu
    dwadziescia/dwudziestu trzydziesci/trzydziestu czterdziesci/czterdziestu piecdziesiat/piecdziesieciu
    szescdziesiat/szescdziesieciu siedemdziesiat/siedemdziesieciu osiemdziesiat/osiemdziesieciu
    dziewiecdziesiat/dziewiecdziesieciu sto/stu tysiac`,
};
/** The same for scripts with one list each. */
const otherScripts = [
  `два/две/двух/двумя три/трех/тремя четыре/четырех/четырьмя пять/пяти/пятью шесть/шести/шестью семь/семи
    восемь/восьми/восемью девять/девяти/девятью десять/десяти/десятью одиннадцать/одиннадцати двенадцать/двенадцати
    тринадцать/тринадцати четырнадцать/четырнадцати пятнадцать/пятнадцати шестнадцать/шестнадцати семнадцать/семнадцати
    восемнадцать/восемнадцати девятнадцать/девятнадцати двадцать/двадцати тридцать/тридцати сорок/сорока
    пятьдесят/пятидесяти шестьдесят/шестидесяти семьдесят/семидесяти восемьдесят/восьмидесяти девяносто/девяноста сто/ста
    тысяча/тысячи/тысяч`,
  `δυο τρια/τρεις τεσσερα/τεσσερις πεντε εξι επτα/εφτα οκτω/οχτω εννεα/εννια δεκα εντεκα δωδεκα δεκατρια/δεκατρεις
    δεκατεσσερα/δεκατεσσερις δεκαπεντε δεκαεξι δεκαεπτα/δεκαεφτα δεκαοκτω/δεκαοχτω δεκαεννεα/δεκαεννια εικοσι τριαντα
    σαραντα πενηντα εξηντα εβδομηντα ογδοντα ενενηντα εκατο χιλια`,
];
/** Words that mean something else in another language. They count only in a text of their language. */
const ambiguous = new Set(
  `to fire sex ti ni tre due sei once elf tien dos atta six dix venti cent mille mil cento cem cien quince seize
  firs tres sto stu atten`.split(/\s+/),
);

const germanOnes = 'zwei drei vier funf sechs sieben acht neun'.split(' ');
const compound =
  /^(zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|zwanzig|dreissig)(?:teilig|fach|farbig|stufig|lagig|turig|sitz|flammig|beinig|armig|seitig|er$|erset)/;
/** 'fünfundzwanzig' and 'zweihundert'. */
const germanCompound = new RegExp(
  `^(ein|${germanOnes.join('|')})(?:und(zwanzig|dreissig|vierzig|funfzig|sechzig|siebzig|achtzig|neunzig)|(hundert|tausend))$`,
);

function numbersOf(list: string): [string, number][] {
  return list
    .split(/\s+/)
    .flatMap((forms, at) => forms.split('/').map((form): [string, number] => [form, values[at] ?? 0]))
    .filter(([form]) => form !== '-');
}

const others = otherScripts.flatMap(numbersOf);
const own = Object.fromEntries(
  Object.entries(lists).map(([language, list]) => [language, new Map(numbersOf(list))]),
) as Record<Language, Map<string, number>>;
/** Words that more languages share tell none of them. */
const sharedMax = 2;
const byLanguage = Object.fromEntries(
  Object.entries(lists).map(([language, list]) => [language, new Map([...numbersOf(list), ...others])]),
) as Record<Language, Map<string, number>>;
const unambiguous = new Map(
  [...Object.values(lists).flatMap(numbersOf), ...others].filter(([form]) => !ambiguous.has(form)),
);

/** The number that a folded word means in a language; null: none. Without a language, ambiguous words mean none. */
function numberNamed(word: string, language: Language | null): number | null {
  const words = language === null ? unambiguous : byLanguage[language];
  const number = words.get(word);
  if (number !== undefined) return number;
  if (language !== 'de' && language !== null) return null;
  const [, ones = '', tens, power] = germanCompound.exec(word) ?? [];
  if (ones !== '') {
    const one = byLanguage.de.get(ones) ?? 1;
    return tens === undefined
      ? one * (byLanguage.de.get(power ?? '') ?? 1)
      : one + (byLanguage.de.get(tens) ?? 0);
  }
  const prefix = compound.exec(word)?.[1];
  return prefix === undefined ? null : (byLanguage.de.get(prefix) ?? null);
}

const [ten, hundred, thousand] = [10, 100, 1000];

/** The number that two words after each other mean: 'twenty-five', 'two hundred'; null: two numbers. */
function joined(first: number, second: number): number | null {
  if (second === hundred || second === thousand) return first < second ? first * second : null;
  if (first >= 2 * ten && first < hundred && first % ten === 0 && second < ten) return first + second;
  // French: 'dix-sept', 'soixante-quinze'.
  if ((first === ten && second >= 7 && second < ten) || (first === 60 && second < 2 * ten))
    return first + second;
  return first >= hundred && first % hundred === 0 && second < hundred ? first + second : null;
}

/** The numbers that folded words name, each as digits. */
export function numbersNamed(words: readonly string[], language: Language | null): string[] {
  const found: number[] = [];
  let isOpen = false;
  for (const word of words) {
    const number = numberNamed(word, language);
    const before = found.at(-1);
    const both = isOpen && number !== null && before !== undefined ? joined(before, number) : null;
    if (both !== null) found[found.length - 1] = both;
    else if (number !== null) found.push(number);
    isOpen = number !== null;
  }
  return found.map(String);
}

/** The languages in which a word is a number, if they are few. */
export function languagesOfNumber(word: string): Language[] {
  if (ambiguous.has(word)) return [];
  const found = (Object.keys(lists) as Language[]).filter((language) => own[language].has(word));
  return found.length <= sharedMax ? found : [];
}

const hanDigits: Record<string, number> = {
  一: 1,
  两: 2,
  兩: 2,
  双: 2,
  雙: 2,
  二: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const hanPowers: Record<string, number> = { 十: ten, 百: hundred, 千: thousand };
/** A lone 一 is an article. */
const counted =
  /(?<![一两兩双雙二三四五六七八九十百千])(?!一[^十百千])([一两兩双雙二三四五六七八九十百千]+)(?:[个個件只支张張片套层層种種色瓶包袋盒本枚つ段格人耳档檔级級年天倍位款颗顆粒台组組根条條]|リットル|小[时時]|時間|分[钟鐘間])/gu;

/** Numbers with a counter in Chinese and Japanese: '三层' is 3, '二十四小时' is 24. */
export const hanNumbers = (text: string): string[] =>
  [...text.matchAll(counted)].map(([, number = '']) => String(hanNumber(number)));

function hanNumber(written: string): number {
  let sum = 0;
  let digit = 0;
  for (const char of written) {
    const power = hanPowers[char];
    if (power === undefined) digit = hanDigits[char] ?? 0;
    else {
      sum += (digit === 0 ? 1 : digit) * power;
      digit = 0;
    }
  }
  return sum + digit;
}
