import type { CanonicalField } from '../../base/canonical-fields.ts';
import type { FieldNames } from './field-names.ts';

/**
 * Field names in more languages, from Czech to Thai, and more names in some languages of `field-names`. They match
 * only as a whole header or next to neutral words, because a similar or longer word may belong to yet another
 * language. Ambiguous words are stand-ins: `stan` is stock, but in shops also the condition.
 */
export const translatedNames: Partial<Record<CanonicalField, FieldNames>> = {
  title: {
    names: `názov|název produktu|názov produktu|név|termék neve|terméknév|megnevezés|cikk megnevezése|denumire
      |denumire produs|nume produs|όνομα|όνομα προϊόντος|τίτλος|име|име на продукт|назва|назва товару
      |найменування|naziv|naziv proizvoda|naziv artikla|ime izdelka|tuotenimi|tuotteen nimi|nimi|toote nimi
      |nimetus|nosaukums|pavadinimas|artikelnamn|tên sản phẩm|tên hàng|tên hàng hóa|nama|nama produk
      |nama barang|ชื่อสินค้า|ชื่อ|שם|שם מוצר|שם המוצר|שם פריט|שם הפריט|نام|نام محصول|نام کالا|عنوان|الاسم|اسم
      |اسم الصنف|nome do produto|nombre producto|nombre de producto|nombre articulo|nombre comercial
      |nom produit|nom de l article|libelle produit|nome articolo|artikelnaam|nazwa towaru|nazwa artykułu|商品名字
      |产品名|货品名称|物料名称|產品名稱|製品名|품명|제품 이름
      |varetekst|artikeltext|artikelbez|artikel bez|produktbezeichnung|warenbezeichnung|περιγραφή είδους|nombre del artículo|naam artikel|nazwa handlowa|nazwa asortymentu|nimike|品目名|상품 이름|제품 명|nome articolo commerciale|intitulé|libellé article|emri|назва продукту|номенклатура|naziv robe|ürün başlığı|ürün|مسمى الصنف|اسم السلعة|ชื่อรายการ`,
  },
  price: {
    names: `cena s dph|prodejní cena|predajná cena|eladási ár|bruttó ár|nettó ár|preț|preț vânzare|preț cu tva|τιμή
      |τιμή πώλησης|τιμή λιανικής|ціна|ціна продажу|цена продажи|розничная цена|цена розничная|цена руб|cijena
      |prodajna cijena|prodajna cena|maloprodajna cijena|myyntihinta|hind|müügihind|pardavimo kaina|kaina
      |pārdošanas cena|utsalgspris|giá|giá bán|đơn giá|harga|harga jual|harga satuan|ราคา
      |ราคาขาย|מחיר|מחיר מכירה|מחיר לצרכן|قیمت|قیمت فروش|قیمت نقد|سعر|سعر البيع|preço venda|preço unitário
      |valor de venda|valor venda|valor unitário|precio venta|precio publico|precio al publico|precio final
      |precio lista|pvp|p v p|prix unitaire|prix public|prix vente|prix vente ttc|prix ht|prezzo vendita
      |prezzo al pubblico|prezzo unitario|verkoopprijs incl btw|销售价|销售价格|销售定价|零售价|零售价格|單價|零售價|税込価格|販売単価|単価
      |판매가격|판매 가격|단가
      |hinta sis alv|ulosmyyntihinta|myyntihinta alv|vejledende udsalgspris|udsalgspris|butikspris|vk brutto|verkaufspreis brutto|ladenpreis|endpreis|endkundenpreis|endkunden vk|vk1|brutto vk|vk preis brutto|pv|pv ttc|pv ht|p v|p v ttc|p v ht|tarif public|tarif ttc|listino pubblico|listino al pubblico|eenheidsprijs|verkoop|precio venta al público|上代|売価|売単価|販売価格税込|розница|kundenpreis|prezzo ivato|prezzo al pubblico iva inclusa|pvp con iva|precio con iva|precio venta público|preço final|preço com iva|preço de varejo|consumentenprijs|detailprijs|cena detaliczna|cena końcowa|cena sprzedaży brutto|maloobchodní cena|koncová cena|розничная|цена для сайта|perakende fiyat|perakende satış fiyatı|kdv dahil fiyat|etiket fiyatı|零售|标价|现价|售卖价|本体価格|通常価格|할인가|소매가|سعر المستهلك|سعر التجزئة|السعر النهائي|ราคาปลีก|giá bán lẻ|harga eceran|τιμή με φπα`,
    standIns: `ár|harga diskon|adviesprijs`,
  },
  sku: {
    names: `رمز الصنف|رمز السلعة|كود المنتج|رقم القطعة|kód tovaru|katalogové číslo|cikkszám|termékkód|cikk kód|cod produs|cod articol|κωδικός
      |κωδικός προϊόντος|артикул товара|артикул производителя|код на продукт|šifra|šifra artikla
      |šifra proizvoda|tuotekoodi|tuotenumero|tootekood|artikli kood|preces kods|prekės kodas|varekode
      |produktnummer|mã sản phẩm|mã hàng|mã sp|kode barang|kode produk|kode|รหัสสินค้า|รหัส|מקט|קוד מוצר
      |קוד פריט|کد محصول|کد کالا|رمز المنتج|كود الصنف|رقم الصنف|código do produto|cod produto|código produto
      |código articulo|codigo producto|cod articulo|clave|clave producto|code produit
      |référence article|référence produit|cod articolo|cod art|codice prodotto|productcode|bestelnummer
      |fabrikantscode|symbol towaru|kod artykułu|产品编码|产品编号|物料编码|物料编号|编码|编号|貨號|商品編號|型番|商品番号
      |製品番号|상품번호|품번|제품코드|제품번호
      |artikel nummer|art nummer|bestellnr|bestell nr|bestellnummer|modellnummer|artikel no|réf article|ref produit|référence fournisseur|código interno|código ref|código sku|codice modello|codice interno|nr art|nr artykułu|kod prod|objednací číslo|číslo produktu|číslo artiklu|tuotenro|tuote nro|nimikekoodi|malzeme kodu|ürün no|stok no|מספר קטלוגי|رقم المنتج|货品编码|商品货号|款号|款式编号|품목코드|상품 코드|管理番号|商品管理番号|внутренний артикул|артикул поставщика|κωδ|κωδικός είδους`,
    standIns: `kód|kood|kods|kodas|cod|mã|symbol|art|코드|קוד|رمز|كود`,
  },
  upc: {
    names: `čárový kód|čiarový kód|vonalkód|ean szám|cod bare|cod de bare|γραμμωτός κώδικας|штрих код|баркод
      |bar kod|viivakoodi|triipkood|ribakood|svītrkods|brūkšninis kodas|mã vạch|kode batang
      |บาร์โค้ด|ברקוד|بارکد|باركود|الباركود|código de barra|código barras|cod barras|código ean|gencod|gencode
      |code à barres|cod ean|kod ean|条码号|国际条码|商品条码|國際條碼|商品條碼|바코드번호
      |ean nummer|eannr|ean nr|gtin ean|código de barras ean|codebarre|code barre|ean barcode|barcode ean|barkod numarası|barkodu|jan code|商品条形码|商品バーコード|isbn 10|codice ean|codice ean13|ean gtin|cod ean 13`,
  },
  description: {
    names: `popis produktu|leírás|termékleírás|descriere|descriere produs|περιγραφή|περιγραφή προϊόντος
      |описание товара|опис|опис товару|opis proizvoda|opis artikla|tuotekuvaus|kirjeldus|apraksts|aprašymas
      |produktbeskrivning|produktbeskrivelse|varebeskrivelse|mô tả|mô tả sản phẩm|deskripsi|deskripsi produk
      |keterangan|รายละเอียด|รายละเอียดสินค้า|คำอธิบาย|תיאור|תיאור מוצר|توضیحات|شرح|شرح کالا|وصف|وصف المنتج
      |descrição do produto|descrição completa|descripcion larga|descripcion del producto|description longue
      |description du produit|descrizione lunga|descrizione prodotto|productomschrijving|opis towaru
      |opis długi|产品详情|商品详情|详细描述|詳細描述|상품 상세설명|상세설명|상품 설명
      |αναλυτική περιγραφή|extra omschrijving|lange omschrijving|uitgebreide omschrijving|beschreibung lang|langtext|descripción detallada|descrição detalhada|descrizione estesa|descrizione dettagliata|dlouhý popis|podrobný popis|подробное описание|полное описание|lång beskrivning|lang beskrivelse|pitkä kuvaus|uzun açıklama|detaylı açıklama|ürün detayı|详细说明|产品介绍|商品介绍|商品詳細|詳細説明|pełny opis|opis pełny|texte descriptif|descriptif|descriptif long|تفاصيل المنتج|التفاصيل`,
    standIns: `spek`,
  },
  vendor: {
    names: `bodega|cantina|domaine|château|weingut|winery|značka|výrobce|výrobca|dodavatel|gyártó|szállító|beszállító|producător|furnizor
      |μάρκα|κατασκευαστής|προμηθευτής|производител|доставчик|виробник|постачальник|поставщик|proizvođač
      |dobavljač|brend|proizvajalec|dobavitelj|merkki|tuotemerkki|valmistaja|toimittaja|tootja|tarnija
      |ražotājs|zīmols|piegādātājs|gamintojas|prekės ženklas|tiekėjas|leverantör
      |merke|produsent|mærke|thương hiệu|nhà cung cấp|nhà sản xuất|merek|pemasok|produsen|ยี่ห้อ
      |แบรนด์|ผู้ผลิต|מותג|יצרן|ספק|برند|سازنده|تامین کننده|الماركة|المورد|الشركة المصنعة|fornecedor
      |editora|editeur|editore|厂家|生产厂家|厂商|供應商|廠商|製造商|제조사|공급사
      |maison|fabbricante|casa produttrice|herstellername|markenname|メーカー名|ブランド名|브랜드명|제조사명|ürün markası|marka adı|производитель бренд|торговая марка|бренд производитель|marca produttore|marque fabricant|manufacture`,
  },
  quantity: {
    names: `sklad|magazzino|vrije voorraad|sandėlyje|likutis sandėlyje|na skladě|tồn|vorrat|vorrätig|quantidade em mãos|quantidade disponível|cantidad a mano|quantité en main|quantité disponible en stock|vorrätige menge|aanwezige hoeveelheid|beschikbare hoeveelheid|διαθέσιμα|διαθέσιμη ποσότητα|dostępne|dostupné|počet|počet kusů|skladem|stav skladu|zásoba|množstvo|mennyiség|készlet|raktárkészlet|darab
      |cantitate|stoc|stoc disponibil|ποσότητα|απόθεμα|наличност|кількість|залишок|кол во|количество на складе
      |остатки|количина|količina|zaliha|stanje|zaloga|varastosaldo|kogus|laoseis|daudzums|atlikums
      |kiekis|likutis|beholdning|saldo|på lager|số lượng|tồn kho|jumlah|qty stok|stok barang|จำนวน|สต็อก
      |คงเหลือ|כמות|מלאי|כמות במלאי|تعداد|موجودی|الكمية|المخزون|qtd|qtde|quantidade em estoque|saldo estoque
      |stock actual|stock disponible|existencia|cantidad disponible|cant|qté|quantité en stock|qta
      |disponibile|giacenze|ilość sztuk|liczba sztuk|sztuk|库存数量|庫存數量|庫存量|stan razem|stan łączny|库存量|现有库存|存量|可用库存|數量|在庫数量|재고수량|재고량
      |الكمية المتاحة|الرصيد|verfügbarer bestand|lagermenge|freier bestand|verfügbare menge|menge verfügbar|stock réel|quantité disponible|quantité stock|qte stock|esistenza|giacenza attuale|quantità disponibile|qtà disponibile|voorradig|voorraad aantal|aantal op voorraad|ilość dostępna|dostępna ilość|stan mag|наличие|остаток на складе|в наличии|存货|现货|在庫点数|lagerantal|antal på lager|disponibelt lager|varasto|varastossa|mevcut|mevcut stok|kalan|stok sayısı|stock dispo|unidades|unidades en stock|stock total|estoque disponível|estoque atual|skladové množství|množství skladem|množstvo na sklade|готівка|в наявності|재고 수량|현재고`,
    standIns: `stan`,
  },
  type: {
    names: `categorias|kategorie produktu|termékkategória|termékcsoport|kategória neve|categorie produs|κατηγορία
      |ομάδα|категорія|категория товара|группа товаров|товарная группа|kategorija|grupa|grupa proizvoda
      |skupina|tuoteryhmä|kategooria|tootegrupp|prekių grupė|varugrupp|varegruppe|produktgruppe
      |artikelgruppe|danh mục|loại|loại sản phẩm|nhóm hàng|jenis|jenis barang|หมวดหมู่|ประเภท|קטגוריה|מחלקה
      |قسم|دسته بندی|دسته|گروه|التصنيف|القسم|seção|departamento|família|grupo|rubro|linea|tipo
      |tipo de artículo|catégorie produit|famille|famiglia|reparto|tipologia|productgroep
      |afdeling|artikelgroep|grupa towarowa|品类|产品类别|商品类别|种类|品類|產品類別|商品類別|상품분류|분류
      |produktkategorie|produktlinie|rubrique|categoria merceologica|reparto merceologico|品種|ジャンル|카테고리명|분류명|상품 카테고리|產品分類|产品分类|产品类型|商品类型|номенклатурная группа|раздел|grup|ürün grubu|ürün kategorisi|ana kategori|κατηγορία προϊόντος|فئة المنتج|المجموعة|แผนก|osasto`,
    standIns: `rayon`,
  },
  cost: {
    names: `prix achat|prix d achat ht|prix achat ht|pa|pa ht|p a|p a ht|pvd|precio coste|precio distribuidor|tarifa distribuidor|coste unitario|listino rivenditori|prezzo rivenditori|händler ek|haendler ek|下代|仕入単価|仕切|仕切価格|prezzo acquisto|precio compra|precio de compra|precio costo|costo compra|preço de custo|preço custo|custo|nabavna cijena
      |nabavna cena|nákupní cena|nákupná cena|закупочная цена|цена закупки|закупівельна ціна|beszerzési ár
      |preț achiziție|harga beli|harga modal|giá nhập|giá vốn|ostohinta|cena nabycia|进货价|采购价|進價|매입가
      |原価|仕入値|仕入れ値|卸価格|卸値|공급가|공급가액|매입단가|도매가|采购单价|拿货价|批发价|批發價|出厂价|工厂价|供货价|代理价|оптовая цена|опт|цена опт|закупка|входная цена|cena hurtowa|cena zakupu netto|velkoobchodní cena|veľkoobchodná cena|engros pris|engrospris|indkøbspris|innkjøpspris|tukkuhinta|sisäänostohinta|prezzo ingrosso|prezzo fornitore|prezzo di costo|prix de gros|prix fournisseur|tarif revendeur|prix revendeur|precio mayorista|precio mayoreo|precio de costo|preço atacado|preço de compra|groothandelsprijs|inkoop|alış|toptan fiyat|toptan satış fiyatı|birim maliyet|τιμή αγοράς|χονδρική|τιμή χονδρικής|سعر الشراء|سعر الجملة|einkauf|hek|ek stück|ek stück netto|coste medio|costo medio|coût moyen|netto €|цена закупочная|закупочная|gelistet ek|händlerpreis|haendlerpreis|einstandspreis|tipo de coste|ราคาทุน`,
  },
  compareAtPrice: {
    names: `ovh|tarif conseillé|ррц|рекомендованная цена|старая цена|cena katalogowa|cena przed|doporučená cena|běžná cena|původní cena|adviesprijs|prijs oud|van prijs|precio anterior|precio tachado|precio de lista|pvpr|prix conseillé|prix public conseillé|ancien prix|prix avant remise|prezzo consigliato|prezzo barrato|prezzo pieno|preço original|unverbindliche preisempfehlung|empf vk|市场价|吊牌价|划线价|建议零售价|建议售价|建議零售價|建議售價|參考價格|参考价格|メーカー希望小売価格|希望小売価格|소비자가|정가|시중가|piyasa fiyatı|eski fiyat|السعر قبل الخصم|سعر قبل الخصم|πριν|αρχική τιμή|førpris|ordinarie pris|rek pris|rekommenderat pris|cirkapris|normalpris|ord pris`,
  },
  weight: {
    names: `vægt|ağırlık|masa|massa|masse|hmotnost|súly|tömeg|greutate|βάρος|вага|маса|масса|тегло|težina|teža|paino|kaal
      |svoris|svars|trọng lượng|khối lượng|berat|น้ำหนัก|משקל|وزن|الوزن|重さ|중량|artikelgewicht|produktgewicht|versandgewicht|nettogewicht|bruttogewicht|stückgewicht|einzelgewicht|net wt|gross wt|ship wt|unit wt|nettovikt|nettovægt|nettovekt|paino netto|净重|毛重|商品重量|实际重量|正味重量`,
  },
  image: {
    names: `hình ảnh|ảnh|ảnh sản phẩm|link ảnh|gambar|foto|foto produk|link gambar|รูปภาพ|รูป|รูปสินค้า|תמונה|תמונות|تصویر|الصورة
      |صورة|صور|εικόνα|φωτογραφία|obrázky|obrázok|kép|képek|imagine|imagini|poza|poze|слика|снимка|зображення|фотография
      |фотографии|картинка|kuvat|pilt|attēls|paveikslėlis|slika|slike|resim|resimler|ürün resmi|商品圖片|产品图片|图片链接|主图链接
      |画像url|商品画像url|사진|상품이미지|대표이미지|fotos|billede|billeder`,
  },
  currency: {
    names: `currency iso|iso currency|curr|ccy|valutakod|valutakode|valuta code|währungskürzel|waehrung|whg|wkz|devises|divisa|divisas
      |kod waluty|měna|pénznem|deviza|valiuta|valuuta|para birimi|döviz|döviz cinsi|валюта цены|код валюты|νόμισμα|货币代码|币种
      |币别|貨幣|幣種|通貨コード|통화|통화코드|결제통화|สกุลเงิน|tiền tệ|loại tiền|mata uang|عملة|العملة|מטבע|ارز`,
  },
  parentSku: {
    names: `übergeordnetes produkt|übergeordnet|produit parent|superior|producto superior|genitore|prodotto genitore|ascendente
      |bovenliggend|bovenliggend product|nadrzędny|produkt nadrzędny|förälder|forælder|overordnet|родитель
      |родительский товар|nadřazený|父级|親商品|상위 상품|vaterartikelnummer|vaterartikel|hauptartikel|hauptartikelnummer|elternartikel|sku padre|código padre|referencia padre|réf parent|référence parent|sku parent|codice padre|articolo padre|hoofdartikel|hoofdproduct|sku rodzica|kod rodzica|indeks rodzica|kód rodiče|артикул родителя|родительский артикул|артикул батька|ana ürün kodu|ana stok kodu|szülő cikkszám|huvudartikel|hovedvare|hovedartikel|päätuote|親商品コード|親品番|父sku|父商品编码|상위상품코드`,
  },
};
