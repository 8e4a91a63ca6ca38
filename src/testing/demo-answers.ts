/** Texts of the demonstration model, by the id of their script. */

export const prose = `A lock never lifts a boat. It lets the river do it.

## A room with two doors

Picture a stone chamber set into a slope, a little longer than a boat, with a pair of gates at either end. Above it the canal lies high; below it lies low. The gates meet in a shallow V that points upstream, so the weight of the water presses them shut. The deeper the water, the tighter they close. Nobody has to hold them.

## Going up

1. The boat comes in from below, and the lower gates close behind it.
2. The keeper winds up the *paddles*: small sluices low in the upper gates, or in a culvert beside them.
3. Water runs down from the upper level into the chamber. It rises, and the boat rises with it, a hand's breadth every few seconds.
4. When chamber and canal stand level, nothing presses on the upper gates any more. They swing open at the push of a shoulder, and the boat goes on.

Going down is the same play backwards: the water is let out below, and the boat sinks with it.

## Where the work comes from

The energy was there all along, in water that had been lifted onto the hill as rain. Each passage spends one chamber of it, some **100 to 250 cubic metres** on a narrow canal, and sends it down to the next level. That is why a canal's highest stretch needs a reservoir, and why, in a dry summer, it is the locks that are closed first.

Leonardo drew gates like these in Milan around 1497. They have hardly changed, because there is hardly anything left to take away.`

export const table = `These are some of the greatest tidal ranges on Earth, from mean springs to the largest on record. Figures vary with the gauge and the year; take them to the nearest half metre.

| Place | Country | Mean spring range | Greatest range | Why here |
| :--- | :--- | ---: | ---: | :--- |
| Burntcoat Head, Bay of Fundy | Canada | 14.5 m | 16.3 m | The bay's own rhythm is close to the tide's |
| Leaf Basin, Ungava Bay | Canada | 13.0 m | 16.2 m | A narrowing bay in resonance |
| Avonmouth, Severn Estuary | United Kingdom | 12.3 m | 14.8 m | A funnel, ever narrower and shallower |
| Granville, Mont Saint-Michel Bay | France | 11.6 m | 14.7 m | The Cotentin stands in the tide's way |
| Río Gallegos | Argentina | 10.4 m | 13.3 m | A wide, shallow shelf |
| Derby, King Sound | Australia | 10.5 m | 11.8 m | A long sound behind a broad shelf |
| Naples | Italy | 0.3 m | 0.5 m | The strait at Gibraltar lets little through |

Two things make a great tide. The sea must be **funnelled**, so that the same water has to pass through ever less room; and the basin must have the right **length**, so that it swings in time with the moon, as bathwater does when you move with it. The Bay of Fundy has both: left to itself it would slosh once in about 13 hours, and the moon pushes every 12 h 25 min.

Naples stands in the last row for comparison. There, the wind moves the sea more than the moon does.`

export const code = `Both read the body as it arrives and decode UTF-8 across chunk borders, which is where most home-made readers go wrong: a chunk may end in the middle of a character.

In TypeScript, with what every browser and Node already have:

\`\`\`typescript
export async function* readText(url: string, signal?: AbortSignal): AsyncGenerator<string> {
  const response = await fetch(url, { signal })
  if (!response.ok || response.body === null) {
    throw new Error(\`The server answered \${response.status}.\`)
  }
  const decoder = new TextDecoder()
  for await (const chunk of response.body) {
    // \`stream: true\` keeps half a character until its other half has come.
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder.decode()
}

for await (const text of readText('/tides')) {
  document.body.append(text)
}
\`\`\`

In Python, with \`httpx\`:

\`\`\`python
import asyncio
import httpx


async def read_text(url: str):
    timeout = httpx.Timeout(10, read=60)
    async with httpx.AsyncClient(timeout=timeout) as client:
        async with client.stream("GET", url) as response:
            response.raise_for_status()
            async for text in response.aiter_text():
                yield text


async def main() -> None:
    async for text in read_text("https://example.com/tides"):
        print(text, end="", flush=True)


asyncio.run(main())
\`\`\`

Neither can tell an answer that is finished from one that was cut off: a body that ends says only that the connection ended. If you must know, let the server write a last record that says so, and take its absence for a loss.`

export const reasoning = {
  thought: `The tide rises from 0.8 m at 08:05 to 4.4 m at 14:17. That is a range of 3.6 m in 6 h 12 min, or 372 minutes.

The rule of twelfths splits the rise into six equal spans of 62 minutes: 1, 2, 3, 3, 2 and 1 twelfths of the range. One twelfth is 0.3 m.

After the first span: 0.8 + 0.3 = 1.1 m, at 09:07. After the second: 1.1 + 0.6 = 1.7 m, at 10:09. After the third: 1.7 + 0.9 = 2.6 m, at 11:11. That is exactly the height asked for, and exactly half the rise, so the cosine curve agrees.

The question says "when", so the falling side matters as well: the next low water isn't given. I should say what I can't know rather than mirror the curve without a word.`,
  answer: `**From about 11:11.** Until then there is less than 2.6 m over the sill.

| Time | Height | Rise in this span |
| :--- | ---: | ---: |
| 08:05 | 0.8 m | low water |
| 09:07 | 1.1 m | 0.3 m |
| 10:09 | 1.7 m | 0.6 m |
| **11:11** | **2.6 m** | **0.9 m** |
| 12:13 | 3.5 m | 0.9 m |
| 13:15 | 4.1 m | 0.6 m |
| 14:17 | 4.4 m | high water |

This is the *rule of twelfths*: in six equal spans the tide rises by 1, 2, 3, 3, 2 and 1 twelfths of its range. Here a twelfth is 0.3 m and a span 62 minutes.

It falls below 2.6 m again some time in the afternoon. If it falls as it rose, that will be near 17:23, but the next low water isn't in your question, so check the tables. Keep a margin, too: a strong wind or high pressure can take 20 to 30 cm off any of these figures.`,
}

export const list = `Take your time; nothing at a lock happens fast unless something has gone wrong.

**Before you arrive**

- Windlass, one for each person who will wind
- Fenders up: they catch in narrow chambers
- Everybody knows who steers, who winds, and who says *stop*

**Going up**

1. Land the crew well below the lock.
2. See whether the chamber is full.
   - If it is, look for boats coming down: the water is theirs.
   - If nobody comes, empty it with the **lower** paddles.
3. Open a lower gate, steer in, and close the gate behind you.
4. Close all lower paddles. Walk back and look: one left up is the commonest reason for a lock that won't fill.
5. Open the **upper** paddles.
   - Those beside the gate first, a half turn at a time.
   - Those in the gate only once the water covers their openings.
6. When the levels meet, open the upper gate and steer out.
7. Close the paddles, then the gate.

**Going down**, keep the boat clear of the *cill*: the stone step below the upper gate. A stern that settles on it is the one mistake here that sinks boats.

**If anything feels wrong**

- [ ] Drop all paddles at once
- [ ] Say so loudly
- [ ] Only then find out why

Wind paddles down, never let them fall. And keep a hand for yourself.`

export const japanese = `ストリーミングは、答えを速くするのではなく、**待ち時間の感じ方**を変えます。

## 最初の一語までの時間

答え全体に八秒かかるとします。全部できてから表示すれば、八秒のあいだ画面は空白です。逐次表示なら、〇・五秒ほどで最初の言葉が現れ、残りは読んでいるうちに届きます。かかる時間の合計は同じでも、読み手が「何も起きていない」と感じる時間は十分の一以下になります。

## 読む速さに追いつかれない

人が日本語を黙読する速さは、一分間におよそ五百字、つまり一秒に八字ほどです。多くのモデルはそれより速く書くので、一度流れ始めれば、読み手が待つことはほとんどありません。

## 気をつけたいこと

- **途切れた答えと終わった答えは違います。** 接続が切れただけなのか、最後まで書き終えたのかを、画面は区別して伝えるべきです。
- **文字は途中で切れます。** 「潮」という一文字はUTF-8で三バイトあり、その間で通信が分かれることがあります。
- **止められること。** 読み手がもう十分だと思ったときに停止でき、そのときサーバーも本当に書くのをやめることが大切です。

水門を少しずつ開けば、水は静かに流れ出します。ストリーミングも、それに似ています。`

export const tool = {
  name: 'tide_lookup',
  input: { station: 'Avonmouth', until: 'next high water' },
  output: {
    station: 'Avonmouth',
    height: 7.9,
    unit: 'm',
    trend: 'rising',
    next: { event: 'high water', at: '16:42', height: 12.1 },
    note: 'Invented for this demonstration; not for navigation.',
  },
  before: `I'll look at the gauge.`,
  after: `At Avonmouth the tide stands at **7.9 m and is rising**. High water is due at **16:42** with **12.1 m**, so another 4.2 m are still to come.

That is a spring tide, and here it is worth watching: the Severn narrows from eight kilometres to a few hundred metres, and at the top of tides like this a bore runs up the river as far as Gloucester.

These figures come from the demonstration's own tool and are made up. Please don't sail by them.`,
}

export const refusal = `I won't help with that. A weir's gates hold back more than they show: opened at the wrong moment they can drown somebody downstream, flood a street, or empty a reach with boats and fish in it.

If a gate looks broken or a river looks dangerous, the people to call are the navigation or flood authority; most have a number that is answered at night. I'm glad to explain how such gates work, who decides when they move, or how to report one.`

export const length = {
  shown: `The Thames Barrier began with a night in January 1953. A storm from the north-west drove the North Sea into its narrow southern end on top of a spring tide; the water came over the sea walls of eastern England after dark and killed 307 people. London was spared by a hand's breadth. Had the surge come a little higher, it would have run down the steps of the Underground.

## Thirty years to build a gate

The committee that followed asked for a barrier that would stop the sea without stopping the ships, and the two wishes fought each other for a decade. Large vessels still came up to the Pool of London, so the first designs had openings of 150 metres and gates that had to be lifted clear of the masts. Only when the docks moved downstream to Tilbury could the openings shrink.

The answer came from Charles Draper, an engineer who is said to have found it in the gas tap of his kitchen stove: a valve that turns. His *rising sector gate* lies in a curved sill on the river's bed, flush with it, and ships pass over. When it is wanted, great wheels on the piers turn it through ninety degrees, and it stands up as a wall of steel, 61 metres long and as high as a house of five storeys. Turned further, it leaves a gap beneath, through which the`,
  rest: ` tide can scour the sill clean.

## In use

Building began in 1974, and the gates rose together for the first time in October 1982. They were meant to close once or twice a year. Since then they have closed more than two hundred times, against surges from the sea and, as often, to keep a tide out so that the rain of the upper Thames finds room. In the winter of 2013 to 2014 alone they closed fifty times.

That is more than anyone had drawn in the plans, and every closing wears the gates and stops the ships. The Barrier is expected to protect the city until about 2070. Where the next one will stand, and how high it must be, is being decided now, from the same two quantities as in 1953: the height of the sea, and the width of a door.`,
}

export const wheel = `In the middle of Scotland two canals meet that have no business meeting: the Forth and Clyde lies thirty-five metres below the Union. For a century and a half a staircase of eleven locks joined them. Boats took most of a day, and each passage spent 3,500 tonnes of water. In the 1930s the locks were filled in and the link was forgotten.

Since 2002 a wheel has done the work. Two caissons, each large enough for four boats, hang at the ends of two great arms. A caisson with a boat in it weighs exactly as much as one without, for the boat pushes out its own weight of water before the doors close; Archimedes could have designed it. The arms are therefore always in balance, and to turn some 600 tonnes through half a circle takes about as much electricity as boiling eight kettles.

The clever part is how the caissons stay level. They ride on small wheels in a ring, and a train of gears, fixed in the middle and free at the rim, turns them back just as fast as the arms turn them over. The boats never tilt by more than a whisper. It takes about five minutes, and from the upper side you leave straight into the sky: the aqueduct ends in the air, and the landscape begins below it.`

export const unknown = `I'm a script, not a model: I run inside \`sluice serve\`, need no key, and know a handful of answers. Each shows another side of a stream.`
