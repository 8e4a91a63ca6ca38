// What happens to a run in one step. All scripts take the keys that `keysOf` gives, in its order. Times are Redis' own:
// an age is a key's expiry, so that the clocks of the processes need not agree.

const keys = `
local head, fresh, merged, lease, wish, running, ended = unpack(KEYS)
local function now()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`

/** `id fingerprint leaseMs keepMs maxRuns prefix` → `owner`, `cancelled` (owner of a run that must not begin), … */
export const CREATE: string = `${keys}
local id, fingerprint, leaseMs, keepMs, maxRuns, prefix = unpack(ARGV)
local known = redis.call('HGET', head, 'fingerprint')
if known then return known == fingerprint and 'attached' or 'conflict' end
if redis.call('ZCARD', running) + redis.call('ZCARD', ended) >= tonumber(maxRuns) then
  local leaving = { redis.call('ZPOPMIN', ended)[1] }
  if #leaving == 0 then
    -- Those whose owner died, and after which nobody has asked since.
    for _, each in ipairs(redis.call('ZRANGE', running, 0, 99)) do
      if redis.call('EXISTS', prefix .. each .. ':lease') == 0 then table.insert(leaving, each) end
    end
  end
  if #leaving == 0 then return 'full' end
  for _, each in ipairs(leaving) do
    redis.call('ZREM', running, each)
    for _, part in ipairs({ ':head', ':fresh', ':merged', ':lease' }) do
      redis.call('DEL', prefix .. each .. part)
    end
  end
end
redis.call('HSET', head, 'fingerprint', fingerprint, 'epoch', 1, 'state', 'running', 'seq', 0, 'bytes', 0)
redis.call('PEXPIRE', head, keepMs)
redis.call('SET', lease, '', 'PX', leaseMs)
redis.call('ZREM', ended, id)
redis.call('ZADD', running, now(), id)
if redis.call('DEL', wish) == 0 then return 'owner' end
redis.call('HSET', head, 'cancel', 1)
return 'cancelled'
`

/**
 * `id channel epoch abandon maxBytes retentionMs memoryMs keepMs`, then `seq from bytes state json` of each event → the
 * answer and how many events are not merged yet. With `abandon` the run is taken from an owner whose lease has run out;
 * the answer is `held` where it has not.
 */
export const APPEND: string = `${keys}
local id, channel, epoch, abandon, maxBytes, retentionMs, memoryMs, keepMs = unpack(ARGV, 1, 8)
local at = redis.call('HMGET', head, 'epoch', 'state', 'seq', 'bytes')
if not at[1] then return { 'gone', 0 } end
if at[1] ~= epoch then return { 'fenced', 0 } end
if at[2] ~= 'running' then return { 'closed', 0 } end
if abandon == '1' and redis.call('EXISTS', lease) == 1 then return { 'held', 0 } end
local seq, bytes = tonumber(at[3]), tonumber(at[4])
local first = 9
while first <= #ARGV and tonumber(ARGV[first]) <= seq do first = first + 5 end
if first > #ARGV then return { 'duplicate', 0 } end
if tonumber(ARGV[first + 1]) ~= seq + 1 then return { 'gap', 0 } end
if bytes > tonumber(maxBytes) then
  for place = first, #ARGV, 5 do
    if ARGV[place + 3] == 'running' then return { 'full', 0 } end
  end
end
for place = first, #ARGV, 5 do
  redis.call('XADD', fresh, '0-' .. ARGV[place], 'event', ARGV[place + 4])
  bytes = bytes + tonumber(ARGV[place + 2])
end
local state = ARGV[#ARGV - 1]
redis.call('HSET', head, 'seq', ARGV[#ARGV - 4], 'bytes', bytes, 'state', state)
if abandon == '1' then redis.call('HINCRBY', head, 'epoch', 1) end
if state == 'running' then
  for _, key in ipairs({ head, fresh, merged }) do redis.call('PEXPIRE', key, keepMs) end
else
  -- How it ended outlives what was said.
  redis.call('HSET', head, 'end', ARGV[#ARGV])
  redis.call('PEXPIRE', head, retentionMs + memoryMs)
  redis.call('PEXPIRE', fresh, retentionMs)
  redis.call('PEXPIRE', merged, retentionMs)
  redis.call('DEL', lease)
  redis.call('ZREM', running, id)
  redis.call('ZADD', ended, now(), id)
end
redis.call('PUBLISH', channel, 'events')
return { 'ok', redis.call('XLEN', fresh) }
`

/** `first last bytes`, then `seq json` of each merged event: puts these in the place of the fresh ones from first to last. */
export const MERGE: string = `${keys}
local oldest = redis.call('XRANGE', fresh, '-', '+', 'COUNT', 1)[1]
if not oldest or oldest[1] ~= '0-' .. ARGV[1] then return 0 end
for place = 4, #ARGV, 2 do
  redis.call('XADD', merged, '0-' .. ARGV[place], 'event', ARGV[place + 1])
end
redis.call('XTRIM', fresh, 'MINID', '0-' .. string.format('%d', ARGV[2] + 1))
redis.call('PEXPIRE', merged, redis.call('PTTL', fresh))
redis.call('HINCRBY', head, 'bytes', ARGV[3])
return 1
`

/** `after limit` → `state lastSeq firstSeq`, then the JSON of each event; or nothing. */
export const READ: string = `${keys}
local at = redis.call('HMGET', head, 'state', 'seq', 'end')
if not at[1] then return false end
local after, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local page = { at[1], at[2], '1' }
if at[3] and redis.call('EXISTS', fresh) == 0 then
  page[3] = at[2]
  if after < tonumber(at[2]) then page[4] = at[3] end
  return page
end
local bytes = 0
for _, stream in ipairs({ merged, fresh }) do
  local cursor, count = '(0-' .. ARGV[1], 16
  while count == 16 do
    local batch = redis.call('XRANGE', stream, cursor, '+', 'COUNT', 16)
    count = #batch
    for _, entry in ipairs(batch) do
      local json = entry[2][2]
      bytes = bytes + #json
      if bytes > limit and #page > 3 then return page end
      page[#page + 1] = json
      cursor = '(' .. entry[1]
    end
  end
end
return page
`

/** → `state epoch lastSeq` and whether the owner's lease holds; or nothing. */
export const LOOK: string = `${keys}
local at = redis.call('HMGET', head, 'state', 'epoch', 'seq')
if not at[1] then return false end
return { at[1], at[2], at[3], redis.call('EXISTS', lease) }
`

/** `epoch leaseMs keepMs` → `ok`, `cancel`, `fenced` or `gone`. */
export const RENEW: string = `${keys}
local at = redis.call('HMGET', head, 'epoch', 'state', 'cancel')
if not at[1] then return 'gone' end
if at[1] ~= ARGV[1] then return 'fenced' end
if at[2] == 'running' then
  redis.call('SET', lease, '', 'PX', ARGV[2])
  for _, key in ipairs({ head, fresh, merged }) do redis.call('PEXPIRE', key, ARGV[3]) end
end
return at[3] and 'cancel' or 'ok'
`

/** `channel wishMs` → the state before; or nothing, and the wish is kept. */
export const CANCEL: string = `${keys}
local state = redis.call('HGET', head, 'state')
if not state then
  redis.call('SET', wish, '', 'PX', ARGV[2])
  return false
end
if state == 'running' and redis.call('HSETNX', head, 'cancel', 1) == 1 then
  redis.call('PUBLISH', ARGV[1], 'cancel')
end
return state
`
