/** Word stems of verbs in languages other than English, with the effects that they imply. */
import type { Effect } from '../../../../shared/model/tool.ts';

type Stems = [effect: Effect, stems: string];

/**
 * Stems of languages with spaces, without accents. Latin stems of fewer than four characters, and those that end with a
 * period, match whole words only.
 */
export const alphabetic: Stems[] = [
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
    'прочит читать читает показ найти найд находит ищет поиск получ список вывод отобра отрим знайти показу намери',
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
  // German
  [
    'destroys',
    'auflos aufloes lost. loest. schliesst schliessen zurucksetz zuruecksetz kundig kuendig stornier leeren leert abbrech widerruf deinstallier zerstor zerstoer',
  ],
  ['overwrites', 'uberschreib ueberschreib'],
  ['sends', 'weiterleit einladen einlad benachrichtig'],
  ['spends', 'begleich abbuch abheb hebt. buche. buchen erstatt'],
  ['runs code', 'befehl'],
  ['changes access', 'sperr entsperr berechtig freigeb freigabe gewahr gewaehr'],
  ['goes live', 'bereitstell ausroll'],
  [
    'reads',
    'abfrag fragt. pruf pruef zaehl zahlt. berechn vergleich vorhersag uberpruf ueberpruef gibt. schlagt. nachschlag herunterlad ladt. ermittl ubersicht uebersicht ubersetz uebersetz',
  ],
  ['changes', 'verschieb hinzufug hinzufueg fugt. fuegt. sortier umbenenn benenn speicher markier kopier'],
  // French
  [
    'destroys',
    'supprime. fermer ferme. resili vider vide. annuler annule. detruir detruit desinstall reinitialis ecraser purger retirer retire. revoqu',
  ],
  ['sends', 'partag diffuser diffuse. transmet repondre repond.'],
  ['spends', 'facturer debite. debiter commander rembours virement transferer transfere. vendre reserver'],
  ['runs code', 'lancer lance.'],
  ['changes access', 'accorde. autoris octroy bloquer bloque. debloqu'],
  ['goes live', 'deployer deploie'],
  [
    'reads',
    'verif compter compte. calculer calcule. comparer compare. telecharg estimer estime. traduir traduit resumer voir. visualis retourn renvoie donne. lit.',
  ],
  ['changes', 'deplac renomm editer edite. enregistr copier marquer ouvrir met. mettre'],
  // Spanish, Portuguese
  [
    'destroys',
    'descart despedir cerrar cierra. fechar fecha. encerra vaciar vacia. anular anula. cancelar cancela. destruir destruye destroi desinstal restablec sobrescrib sobrescrev limpar limpa. esvazi redefin quitar quita.',
  ],
  ['sends', 'difund compartir comparte compartilh publique. publica. reenvi encaminh responder convid invitar postar'],
  [
    'spends',
    'doar doa. donar dona. debita cobra. facturar faturar transferir transfiere transfere. reembols reservar reserva. retirar sacar saca. vender cobrar',
  ],
  ['runs code', 'lanzar lanza. correr rodar roda. comando executa.'],
  ['changes access', 'otorga. revocar revoca. revog autoriza bloquear bloquea. bloqueia desbloque'],
  ['goes live', 'despleg desplieg implantar'],
  [
    'reads',
    'obter obtem obtiene ver. contar cuenta. conta. calcular calcula. verificar verifica. comprobar comprueb comparar compara. analizar analisar estimar estima. descargar descarga. baixar baixa. traduc traduz resumir devuelv pesquis exib retorn',
  ],
  [
    'changes',
    'ordenar ordena. reordena mover mueve editar edita. guardar guarda. salvar renombr renome marcar asignar copiar abrir',
  ],
  // Italian, Romanian
  [
    'destroys',
    'chiudi chiude chiudere svuot annull distrugg disinstall reimpost ripristin sovrascriv disdi disdett anuleaza goleste reseteaza',
  ],
  ['sends', 'spedire spedisc condivid inoltr rispond partaj'],
  ['spends', 'trasfer rimbors prenot bonific prelev vendere vendi. transfera cumpara'],
  ['runs code', 'lancia. lanciare'],
  ['changes access', 'revoc concedi concedere autorizz blocc sblocc acorda'],
  ['goes live', 'distribuisci'],
  [
    'reads',
    'controlla. controllare contare calcol confront stima. stimare scarica. scaricare analizz riassum restitu visualizz numara',
  ],
  ['changes', 'riordin ordina. spost modific rinomin salva. salvare muta. adauga editeaza salveaza'],
  // Dutch, Swedish, Danish, Norwegian
  [
    'destroys',
    'leegmaken annuleer annuleren opzeg vernietig rensa aterstall avbryt avboka avinstaller nollstall annuller opsig',
  ],
  ['sends', 'doorstuur stuur stuurt delen deel. delar dela. publicera publiser'],
  ['spends', 'overmaak boeken terugbetaal overfor koper bokar boka. aterbetal'],
  ['runs code', 'opdracht commando kommando'],
  ['changes access', 'verleen blokkeer bevilja blockera'],
  ['reads', 'controleer telt. bereken vergelijk bekijk geeft. kontroller kontrollera rakna raknar berakna jamfor tjek'],
  ['changes', 'verplaats toevoeg voegt. bewerk hernoem opslaan flytta laggtill redigera flytt tilfoj rediger spara'],
  // Polish, Czech
  [
    'destroys',
    'zerwij zrywa. zamknij zamyka. rozwiaz anuluj wyczysc czysci oprozni zniszcz odinstal zresetuj resetuj cofnij zrus vyprazdn',
  ],
  ['overwrites', 'nadpisz prepis'],
  ['sends', 'opublikuj publikuj udostepn przekaz zapros zverejn sdilej'],
  ['spends', 'przelew zwroc zarezerwuj wyplac sprzeda prevest rezervuj'],
  ['runs code', 'polecenie komend prikaz'],
  ['changes access', 'przyznaj nadaj zablokuj odblokuj blokuj udel'],
  ['goes live', 'wdroz wdraz nasad'],
  [
    'reads',
    'podaj podaje. pobierz sprawdz policz liczy. oblicz porown przetlumacz podsumuj zwraca. zkontroluj spocitej vypocitej porovnej',
  ],
  ['changes', 'sortuj przenies przenosi edytuj przypisz oznacz skopiuj presun upravit uloz prejmenuj'],
  // Turkish
  ['destroys', 'kapat iptal temizle sifirla bosalt yoket fesh'],
  ['sends', 'paylas davet yanitla'],
  ['spends', 'transferi. havale satinal iade. rezerv oder.'],
  ['runs code', 'komut'],
  ['changes access', 'yetkilendir engelle'],
  ['reads', 'kontrol say. sayar hesapla karsilastir analiz cevir ozetle sorgula incele dondur'],
  ['changes', 'tasi tasir duzenle isaretle kopyala'],
  // Indonesian, Malay, Vietnamese
  [
    'destroys',
    'tutup menutup batal membatal kosong mengosong bersih membersih musnah memusnah copot hancur menghancur cabut mencabut huy.',
  ],
  ['sends', 'terbit menerbit bagik membagik undang mengundang balas membalas'],
  ['spends', 'potong memotong mentransfer tarik. menarik'],
  ['runs code', 'perintah lenh.'],
  ['changes access', 'izinkan mengizinkan blokir memblokir capquyen'],
  [
    'reads',
    'periksa memeriksa hitung menghitung bandingk membandingk unduh mengunduh terjemah menerjemah ringkas meringkas cek. kiem tinh. dem.',
  ],
  [
    'changes',
    'urut mengurut pindah memindah sunting menyunting simpan menyimpan tandai salin menyalin ganti mengganti chuyen',
  ],
  // Finnish, Hungarian
  ['destroys', 'peruuta tyhjenna nollaa visszavon urit'],
  ['sends', 'julkaise kozzetesz megoszt'],
  ['spends', 'maksa osta. fizet vasarol atutal'],
  ['runs code', 'suorita futtat'],
  ['reads', 'tarkista laske. vertaa ellenoriz szamol'],
  ['changes', 'lisaa muokkaa tallenna siirra letrehoz hozzaad szerkeszt'],
  // Russian, Ukrainian
  ['destroys', 'расторг закрыть закрывает отмен сброс сбрас очища стира удаля скасув скаса очищ скида'],
  ['overwrites', 'перезапис'],
  ['sends', 'поделит пересл пересыл пригласи публику надішл поширт поділит'],
  ['spends', 'списать списыва переведи переводит вернуть_деньги заброни заказать закажи переказ'],
  ['changes access', 'предостав разреш заблок блокир надати надає'],
  ['goes live', 'разверн разверт деплой розгорн'],
  [
    'reads',
    'провер посчит считает считать подсчит вычисл сравн узнать сообща скача анализ просмотр возвраща повертає перевір порахув порівн',
  ],
  ['changes', 'сортир перемест перемеща редактир переимен сохран отмет перенес назнач перемі редаг'],
  // Arabic, Hebrew
  ['destroys', 'إلغاء ألغ الغاء يلغي إفراغ أفرغ يفرغ تدمير يحذف يمسح يزيل בטל רוקן אפס'],
  ['sends', 'ينشر نشر شارك مشاركة يشارك פרסם שתף'],
  ['spends', 'تحويل يحول استرداد حجز يدفع يشتري'],
  ['runs code', 'ينفذ أمر تشغيل يشغل'],
  ['changes access', 'منح يمنح حظر הענק'],
  ['reads', 'تحقق يتحقق يحسب احسب يقارن مقارنة يحلل تحليل ترجم يبحث يقرأ يجلب يسرد בדוק ספור חשב השווה נתח תרגם'],
  ['changes', 'نقل ينقل تعديل يعدل يضيف إضافة ينشئ يحدث حفظ يحفظ ערוך הוסף העבר שמור'],
  // Hindi, Thai, Greek
  ['destroys', 'रद्द खाली रीसेट नष्ट ยกเลิก ล้าง รีเซ็ต ακυρω αδεια'],
  ['sends', 'प्रकाशित साझा เผยแพร่ แชร์ δημοσι κοινοπ'],
  ['spends', 'ट्रांसफर โอน πληρω αγορα'],
  ['runs code', 'कमांड εκτελ'],
  ['changes access', 'अनुमति'],
  ['reads', 'जांच जाँच गिन गणना तुलना विश्लेषण देख ตรวจสอบ นับ คำนวณ ελεγχ μετρα υπολογ'],
  ['changes', 'संपादित सहेज ย้าย บันทึก μετακιν επεξεργ προσθ αποθηκ δημιουργ ενημερ'],
];

/** Words of languages without spaces, matched anywhere in a name and at the start of a description. */
export const signs: Stems[] = [
  [
    'destroys',
    '删除 移除 清空 清除 销毁 终止 卸载 刪除 銷毀 重置 取消订 取消预 取消訂 退订 注销 关闭账 撤销 撤回 格式化 回滚 还原',
  ],
  ['destroys', '削除 消去 破棄 解約 取消 取り消 閉鎖 キャンセル 初期化 リセット 抹消 退会 失効 空にし'],
  ['destroys', '삭제 폐쇄 제거 지우기 초기화 취소 해지 파기 비우 비웁 리셋 말소 폐기 탈퇴'],
  ['overwrites', '覆盖 覆写 覆蓋 上書き 덮어'],
  ['runs code', '执行 运行命令 运行代码 執行 実行 실행'],
  [
    'sends',
    '发送 发布 发邮件 发消息 發送 發佈 推送 分享 转发 回复 群发 邀请 送信 投稿 公開 共有 転送 返信 招待 配信 送付 보내 전송 게시 공유 발송 초대 답장',
  ],
  [
    'spends',
    '支付 付款 扣款 转账 下单 购买 付費 購買 轉帳 提现 退款 汇款 充值 预订 提交订单 購入 支払 注文し 発注 引き落と 送金 振込 振り込 出金 返金 予約 決済 결제 구매 송금 이체 인출 출금 환불 예약 주문하 주문합',
  ],
  [
    'changes access',
    '批准 承認し 承認する 拒否し 拒否する 승인하 승인합 거부하 거부합 授权 授予 权限变更 授權 封禁 赋予 付与 許可 凍結 ブロック 권한 부여 허용 차단',
  ],
  ['goes live', '部署 上线 重启 デプロイ 再起動 배포 재시작'],
  [
    'changes',
    '创建 新建 更新 修改 添加 写入 排序 移动 编辑 保存 复制 重命名 标记 上传 導入 設定 建立 新增 作成 追加 変更 書き込 並べ替え 移動 編集 保存 登録 複製 생성 추가 수정 변경 쓰기 정렬 이동 편집 저장 등록 복사',
  ],
  [
    'reads',
    '路径规划 路线规划 坐标转换 格式转换 单位转换 转换为经纬度 测量 获取 查询 搜索 读取 列出 返回 查看 查找 分析 查天 预报 检查 统计 计算 比较 翻译 总结 显示 浏览 预览 监控 校验 验证 检测 提取 計算 獲取 查詢 搜尋 讀取 取得 検索 一覧 読み 表示 参照 確認 数え 集計 比較 翻訳 要約 検証 予報 算出 出力 返し 조회 검색 가져오 목록 읽기 보기 확인 점검 계산 집계 비교 분석 번역 요약 알려 예보 표시 반환 출력',
  ],
];
