/**
 * Verbs in other languages than English, as word stems. Names and descriptions of tools are written in any language, and
 * a tool that deletes in German is as dangerous as one that deletes in English.
 */
import type { Effect } from './verbs.ts';

type Stems = [effect: Effect, stems: string];

/** Stems of languages with spaces, without accents. Latin stems of fewer than four characters match whole words only. */
const alphabetic: Stems[] = [
  // German, Dutch, Swedish, Danish, Norwegian
  ['destroys', 'losch loesch entfern vernicht verwijder wissen radera tabort slett fjern'],
  ['sends', 'sende senden verschick versende verstuur verzend skicka veroffentlich publiceer'],
  ['spends', 'bezahl uberweis ueberweis kaufe kaufen bestell betaal kopen betala kob betal'],
  ['runs code', 'ausfuhr ausfuehr fuhreaus uitvoer voeruit korkommando'],
  [
    'changes',
    'erstell anleg aktualisier schreib bearbeit andere aendere aanmaken wijzig skapa uppdatera opret opprett',
  ],
  [
    'reads',
    'lese lesen zeige zeigt zeigen anzeig suche suchen hole holt holen abruf liste listet finde lees tonen toont toon zoek haal lijst auflist listen ruft finden findet sucht liest visar visa hamta hent vis sok',
  ],
  // French, Spanish, Portuguese, Italian, Romanian, Catalan
  [
    'destroys',
    'supprim effac elimin borra borrar exclui exclua apaga apagar cancella cancellare rimuov remover sterge esborra',
  ],
  ['sends', 'envoi envoy enviar envia envie invia inviare publier publicar pubblica trimite'],
  ['spends', 'payer paie acheter achete pagar paga pague comprar compra pagare acquist plateste'],
  ['runs code', 'executer ejecut executar esegu ruleaza'],
  ['changes access', 'accorder otorgar conceder concede'],
  [
    'changes',
    'creer cree crear criar crea creare modifi actualiz atualiz aggiorn ajout anadir agregar adicion aggiung escrib escrev scriv ecrire',
  ],
  [
    'reads',
    'lire affich cherch recherch obten obtien trouv consult leer lee muestra mostrar mostra busca buscar ler lista listar elenca elenco cerca cercare trova leggi legge lister liste obtenir ottien recupera recuper mostra montre affiche elenchi legger trovar vedi veder',
  ],
  // Polish, Czech, Slovak, Croatian
  ['destroys', 'usun usuwa skasuj kasuj smaz smazat odstran vymaz obrisi izbrisi'],
  ['sends', 'wyslij wysyla posli poslat odesli posalji'],
  ['spends', 'zaplac kup kupuje przelej zaplat koupit plati'],
  ['runs code', 'wykonaj uruchom spust izvrsi'],
  ['changes', 'utworz dodaj zmien zapisz aktualizuj vytvor pridej uprav stvori'],
  [
    'reads',
    'pobierz wyswietl szukaj znajdz odczyt pokaz pokazuje wyswietla szuka pobiera czyta zobraz najdi vyhledej prikazi dohvati',
  ],
  // Turkish
  ['destroys', 'sil siler silin silme kaldir'],
  ['sends', 'gonder yayinla'],
  ['spends', 'ode odeme satinal'],
  ['runs code', 'calistir yurut'],
  ['changes', 'olustur ekle guncelle degistir yaz kaydet'],
  ['reads', 'oku listele goster ara bul getir goruntule listeler gosterir arar getirir okur bulur'],
  // Indonesian, Malay, Vietnamese (without tone marks), Tagalog
  ['destroys', 'hapus menghapus padam xoa burahin'],
  ['sends', 'kirim mengirim hantar gui'],
  ['spends', 'bayar membayar beli membeli mua thanhtoan'],
  ['runs code', 'jalankan menjalankan chay thucthi'],
  ['changes', 'buat membuat ubah tambah perbarui tao capnhat sua them'],
  [
    'reads',
    'baca membaca daftar tampil cari mencari ambil lihat menampil mengambil melihat menemukan doc lietke hienthi tim lay xem',
  ],
  // Finnish, Hungarian
  ['destroys', 'poista torol'],
  ['sends', 'laheta kuld'],
  ['reads', 'hae nayta etsi listaa lekerdez keres mutat'],
  // Russian, Ukrainian, Bulgarian
  ['destroys', 'удал сотр стереть очист уничтож видал знищ изтри'],
  ['sends', 'отправ послать опублик надсил надісл відправ изпрат'],
  ['spends', 'оплат купи покупк перевести перевод сплат плати'],
  ['runs code', 'выполн запуст викон запусти изпълн'],
  ['changes', 'созда добав измен обнов запис створ змін създа'],
  [
    'reads',
    'прочит читать читает показ найти найд поиск получ список вывод отобра отримат отрима знайти показу намери',
  ],
  // Arabic, Hebrew, Persian
  ['destroys', 'حذف احذف يحذف امسح مسح إزالة מחק למחוק מוחק پاک'],
  ['sends', 'أرسل ارسل إرسال يرسل שלח שולח ارسال'],
  ['spends', 'ادفع دفع شراء اشتر שלם קנה پرداخت خرید'],
  ['runs code', 'نفذ تنفيذ شغل הרץ اجرا'],
  ['changes', 'أنشئ إنشاء عدل تحديث أضف צור עדכן'],
  ['reads', 'اقرأ قراءة اعرض عرض يعرض ابحث بحث قائمة جلب احصل קרא הצג חפש نمایش جستجو خواندن'],
  // Hindi, Bengali, Thai
  ['destroys', 'हटा मिटा डिलीट মুছ ลบ'],
  ['sends', 'भेज পাঠা ส่ง'],
  ['spends', 'भुगतान खरीद কিন ชำระ ซื้อ'],
  ['runs code', 'चला निष्पाद চালা รัน'],
  ['changes', 'बना जोड़ बदल তৈরি สร้าง แก้ไข'],
  ['reads', 'पढ़ दिखा खोज सूची प्राप्त দেখা খুঁজ পড় อ่าน แสดง ค้นหา ดึง'],
  // Greek
  ['destroys', 'διαγρα διεγρα'],
  ['sends', 'στειλ αποστολ'],
  ['reads', 'διαβα εμφανι αναζητ λιστα'],
];

/** Words of languages without spaces, matched anywhere in a name and at the start of a description. */
const signs: Stems[] = [
  ['destroys', '删除 移除 清空 清除 销毁 终止 卸载 刪除 清除 銷毀 削除 消去 破棄 삭제 제거 지우기 초기화 重置'],
  ['overwrites', '覆盖 覆写 覆蓋 上書き 덮어'],
  ['runs code', '执行 运行命令 运行代码 執行 実行 실행'],
  ['sends', '发送 发布 发邮件 发消息 發送 發佈 送信 投稿 보내 전송 게시'],
  ['spends', '支付 付款 转账 下单 购买 付費 購買 轉帳 購入 支払 注文 결제 구매 송금 주문'],
  ['changes access', '授权 授予 权限变更 授權 付与 권한'],
  ['goes live', '部署 上线 デプロイ 배포'],
  ['changes', '创建 新建 更新 修改 添加 写入 設定 建立 新增 作成 追加 変更 書き込 생성 추가 수정 변경 쓰기'],
  [
    'reads',
    '获取 查询 搜索 读取 列出 返回 查看 查找 分析 計算 獲取 查詢 搜尋 讀取 取得 検索 一覧 読み 表示 参照 조회 검색 가져오 목록 읽기 보기 확인',
  ],
];

interface Stem {
  effect: Effect;
  stem: string;
}

const stems: Stem[] = alphabetic.flatMap(([effect, list]) =>
  list.split(' ').map((stem) => ({ effect, stem: withoutAccents(stem) })),
);
const isPrefix = ({ stem }: Stem) => stem.length >= 4 || !/^[a-z]+$/.test(stem);
const wholeWords = new Map(stems.filter((entry) => !isPrefix(entry)).map(({ stem, effect }) => [stem, effect]));
/** By their first two characters. */
const prefixes = Map.groupBy(stems.filter(isPrefix), ({ stem }) => stem.slice(0, 2));
const signList: Stem[] = signs.flatMap(([effect, list]) => list.split(' ').map((stem) => ({ effect, stem })));

function withoutAccents(text: string): string {
  return text
    .replace(/[ıİ]/g, 'i')
    .replace(/[łŁ]/g, 'l')
    .replace(/[đĐ]/g, 'd')
    .replace(/ø/gi, 'o')
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase();
}

/** The effect of a word in any of these languages; the longest stem wins. */
export function foreignEffect(word: string): Effect | undefined {
  const plain = withoutAccents(word);
  const whole = wholeWords.get(plain);
  if (whole) return whole;
  let best: Stem | undefined;
  for (const candidate of prefixes.get(plain.slice(0, 2)) ?? [])
    if (plain.startsWith(candidate.stem) && candidate.stem.length > (best?.stem.length ?? 0)) best = candidate;
  return best?.effect;
}

/** The effects of the words in `text` of languages without spaces, in order. 已 makes a word a participle: "already published". */
export function signsIn(text: string): { effect: Effect; sign: string; at: number }[] {
  if (!/[\u3040-\uffff]/.test(text)) return [];
  const withoutParticiples = text.replace(/已../g, '   ');
  return signList
    .map(({ effect, stem }) => ({ effect, sign: stem, at: withoutParticiples.indexOf(stem) }))
    .filter(({ at }) => at !== -1)
    .sort((one, other) => one.at - other.at || other.sign.length - one.sign.length);
}
