import type { CanonicalField } from './canonical-fields.ts';
import type { FieldNames } from './field-names.ts';

const list = (text: string): string[] => text.split('|').map((name) => name.trim());

/**
 * Field names in more languages, from Czech to Thai, and more names in some languages of `field-names`. They match only
 * as a whole or next to neutral words, because a similar or longer word may belong to yet another language. An
 * ambiguous word is a stand-in (`stan` is stock, but in shops also the condition).
 */
export const translatedNames: Partial<Record<CanonicalField, Pick<FieldNames, 'names' | 'standIns'>>> = {
  title: {
    names: list(
      `názov|název produktu|názov produktu|név|termék neve|terméknév|megnevezés|cikk megnevezése|denumire
      |denumire produs|nume produs|όνομα|όνομα προϊόντος|τίτλος|име|име на продукт|назва|назва товару
      |найменування|naziv|naziv proizvoda|naziv artikla|ime izdelka|tuotenimi|tuotteen nimi|nimi|toote nimi
      |nimetus|nosaukums|pavadinimas|artikelnamn|tên sản phẩm|tên hàng|tên hàng hóa|nama|nama produk
      |nama barang|ชื่อสินค้า|ชื่อ|שם|שם מוצר|שם המוצר|שם פריט|שם הפריט|نام|نام محصول|نام کالا|عنوان|الاسم|اسم
      |اسم الصنف|nome do produto|nombre producto|nombre de producto|nombre articulo|nombre comercial
      |nom produit|nom de l article|libelle produit|nome articolo|artikelnaam|nazwa towaru|nazwa artykułu|商品名字
      |产品名|货品名称|物料名称|產品名稱|製品名|품명|제품 이름`,
    ),
  },
  price: {
    names: list(
      `cena s dph|prodejní cena|predajná cena|eladási ár|bruttó ár|nettó ár|preț|preț vânzare|preț cu tva|τιμή
      |τιμή πώλησης|τιμή λιανικής|ціна|ціна продажу|цена продажи|розничная цена|цена розничная|цена руб|cijena
      |prodajna cijena|prodajna cena|maloprodajna cijena|myyntihinta|hind|müügihind|pardavimo kaina|kaina
      |pārdošanas cena|utsalgspris|giá|giá bán|đơn giá|harga|harga jual|harga satuan|ราคา
      |ราคาขาย|מחיר|מחיר מכירה|מחיר לצרכן|قیمت|قیمت فروش|قیمت نقد|سعر|سعر البيع|preço venda|preço unitário
      |valor de venda|valor venda|valor unitário|precio venta|precio publico|precio al publico|precio final
      |precio lista|pvp|p v p|prix unitaire|prix public|prix vente|prix vente ttc|prix ht|prezzo vendita
      |prezzo al pubblico|prezzo unitario|verkoopprijs incl btw|销售价|销售价格|销售定价|零售价|零售价格|單價|零售價|税込価格|販売単価|単価
      |판매가격|판매 가격|단가`,
    ),
    standIns: list(`ár|harga diskon|adviesprijs`),
  },
  sku: {
    names: list(
      `kód tovaru|katalogové číslo|cikkszám|termékkód|cikk kód|cod produs|cod articol|κωδικός
      |κωδικός προϊόντος|артикул товара|артикул производителя|код на продукт|šifra|šifra artikla
      |šifra proizvoda|tuotekoodi|tuotenumero|tootekood|artikli kood|preces kods|prekės kodas|varekode
      |produktnummer|mã sản phẩm|mã hàng|mã sp|kode barang|kode produk|kode|รหัสสินค้า|รหัส|מקט|קוד מוצר
      |קוד פריט|کد محصول|کد کالا|رمز المنتج|كود الصنف|رقم الصنف|código do produto|cod produto|código produto
      |código articulo|codigo producto|cod articulo|clave|clave producto|code produit
      |référence article|référence produit|cod articolo|cod art|codice prodotto|productcode|bestelnummer
      |fabrikantscode|symbol towaru|kod artykułu|产品编码|产品编号|物料编码|物料编号|编码|编号|貨號|商品編號|型番|商品番号
      |製品番号|상품번호|품번|제품코드|제품번호`,
    ),
    standIns: list(`kód|kood|kods|kodas|cod|mã|symbol`),
  },
  upc: {
    names: list(
      `čárový kód|čiarový kód|vonalkód|ean szám|cod bare|cod de bare|γραμμωτός κώδικας|штрих код|баркод
      |bar kod|viivakoodi|triipkood|ribakood|svītrkods|brūkšninis kodas|mã vạch|kode batang
      |บาร์โค้ด|ברקוד|بارکد|باركود|الباركود|código de barra|código barras|cod barras|código ean|gencod|gencode
      |code à barres|cod ean|kod ean|条码号|国际条码|商品条码|國際條碼|商品條碼|바코드번호`,
    ),
  },
  description: {
    names: list(
      `popis produktu|leírás|termékleírás|descriere|descriere produs|περιγραφή|περιγραφή προϊόντος
      |описание товара|опис|опис товару|opis proizvoda|opis artikla|tuotekuvaus|kirjeldus|apraksts|aprašymas
      |produktbeskrivning|produktbeskrivelse|varebeskrivelse|mô tả|mô tả sản phẩm|deskripsi|deskripsi produk
      |keterangan|รายละเอียด|รายละเอียดสินค้า|คำอธิบาย|תיאור|תיאור מוצר|توضیحات|شرح|شرح کالا|وصف|وصف المنتج
      |descrição do produto|descrição completa|descripcion larga|descripcion del producto|description longue
      |description du produit|descrizione lunga|descrizione prodotto|productomschrijving|opis towaru
      |opis długi|产品详情|商品详情|详细描述|詳細描述|상품 상세설명|상세설명|상품 설명`,
    ),
    standIns: list(`spek`),
  },
  vendor: {
    names: list(
      `značka|výrobce|výrobca|dodavatel|gyártó|szállító|beszállító|producător|furnizor
      |μάρκα|κατασκευαστής|προμηθευτής|производител|доставчик|виробник|постачальник|поставщик|proizvođač
      |dobavljač|brend|proizvajalec|dobavitelj|merkki|tuotemerkki|valmistaja|toimittaja|tootja|tarnija
      |ražotājs|zīmols|piegādātājs|gamintojas|prekės ženklas|tiekėjas|leverantör
      |merke|produsent|mærke|thương hiệu|nhà cung cấp|nhà sản xuất|merek|pemasok|produsen|ยี่ห้อ
      |แบรนด์|ผู้ผลิต|מותג|יצרן|ספק|برند|سازنده|تامین کننده|الماركة|المورد|الشركة المصنعة|fornecedor
      |editora|editeur|editore|厂家|生产厂家|厂商|供應商|廠商|製造商|제조사|공급사`,
    ),
  },
  quantity: {
    names: list(
      `počet|počet kusů|skladem|stav skladu|zásoba|množstvo|mennyiség|készlet|raktárkészlet|darab
      |cantitate|stoc|stoc disponibil|ποσότητα|απόθεμα|наличност|кількість|залишок|кол во|количество на складе
      |остатки|количина|količina|zaliha|stanje|zaloga|varastosaldo|kogus|laoseis|daudzums|atlikums
      |kiekis|likutis|beholdning|saldo|på lager|số lượng|tồn kho|jumlah|qty stok|stok barang|จำนวน|สต็อก
      |คงเหลือ|כמות|מלאי|כמות במלאי|تعداد|موجودی|الكمية|المخزون|qtd|qtde|quantidade em estoque|saldo estoque
      |stock actual|stock disponible|existencia|cantidad disponible|cant|qté|quantité en stock|qta
      |disponibile|giacenze|ilość sztuk|liczba sztuk|sztuk|库存数量|库存量|现有库存|存量|可用库存|數量|在庫数量|재고수량|재고량`,
    ),
    standIns: list(`stan`),
  },
  type: {
    names: list(
      `categorias|kategorie produktu|termékkategória|termékcsoport|kategória neve|categorie produs|κατηγορία
      |ομάδα|категорія|категория товара|группа товаров|товарная группа|kategorija|grupa|grupa proizvoda
      |skupina|tuoteryhmä|kategooria|tootegrupp|prekių grupė|varugrupp|varegruppe|produktgruppe
      |artikelgruppe|danh mục|loại|loại sản phẩm|nhóm hàng|jenis|jenis barang|หมวดหมู่|ประเภท|קטגוריה|מחלקה
      |قسم|دسته بندی|دسته|گروه|التصنيف|القسم|seção|departamento|família|grupo|rubro|linea|tipo
      |tipo de artículo|catégorie produit|famille|famiglia|reparto|tipologia|productgroep
      |afdeling|artikelgroep|grupa towarowa|品类|产品类别|商品类别|种类|品類|產品類別|商品類別|상품분류|분류`,
    ),
    standIns: list(`rayon`),
  },
  cost: {
    names: list(
      `prix achat|prezzo acquisto|precio compra|precio de compra|precio costo|costo compra|preço de custo|preço custo|custo|nabavna cijena
      |nabavna cena|nákupní cena|nákupná cena|закупочная цена|цена закупки|закупівельна ціна|beszerzési ár
      |preț achiziție|harga beli|harga modal|giá nhập|giá vốn|ostohinta|cena nabycia|进货价|采购价|進價|매입가`,
    ),
  },
};
