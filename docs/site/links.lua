-- Links of the pages: to other pages by the names that these have in the site; and from the name of
-- a call, a type or a status of the library to what the reference says of it.

local root = os.getenv("ROOT_OF_SITE")
local title

local reference = {} -- the place of each name
local names = assert(io.open(os.getenv("NAMES")))
local all = names:read("a")
for entry in all:gmatch("<member.-</member>") do
    local name = entry:match("<name>([%w_]+)</name>")
    local file, anchor = entry:match("<anchorfile>(.-)</anchorfile>%s*<anchor>(.-)</anchor>")
    if name and name:lower():match("^guira_") then
        reference[name] = root .. "reference/" .. file .. "#" .. anchor
    end
end
for name, file in all:gmatch('kind="struct">%s*<name>([%w_]+)</name>%s*<filename>(.-)</filename>') do
    reference["struct " .. name] = root .. "reference/" .. file
end
names:close()

local function to_page(target)
    if target:match("^%a+:") then
        return target
    end
    return (target:gsub("README%.md", "index.md"):gsub("%.md$", ".html"):gsub("%.md#", ".html#"))
end

local first = {
    Header = function(header)
        if header.level == 1 and not title then
            title = pandoc.utils.stringify(header)
        end
    end,
    Link = function(link)
        link.target = to_page(link.target)
        link.content = pandoc.Span(link.content):walk({
            Code = function(code) -- which is linked already
                code.classes = { "linked" }
                return code
            end,
        }).content
        return link
    end,
}

local second = {
    Code = function(code)
        local place = reference[code.text] or reference[code.text:match("^enum (.*)")]
        if place and not code.classes:includes("linked") then
            return pandoc.Link(code, place)
        end
    end,
    Meta = function(meta)
        meta.pagetitle = title
        meta.root = root
        return meta
    end,
}

return { first, second }
